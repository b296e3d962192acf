"""Parts of a message that leave their sender after the call that sends it: as they find room in the send buffer."""

import pytest

from mpi_impl.libraries.cellos.tests.parts import FURTHER, holds

BODIES = {
    # A send that need not wait for its receiver returns long before that looks; what is left goes in later calls.
    "returns_without_the_receiver": """
  MPI_Request others[2];
  if (rank == 1) {
    MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(fill(1), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(fill(2), bytes, MPI_CHAR, 2, 2, MPI_COMM_WORLD, &requests[2]);
    CHECK(MPI_Wtime() < 1);
    MPI_Isend(NULL, 0, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(most, requests, MPI_STATUSES_IGNORE);
    CHECK(MPI_Wtime() > 10);
  } else if (rank == 2) {
    MPI_Recv(in, bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, 2));
  } else if (rank == 0) {
    hindcast_compute_seconds(10);
    MPI_Irecv(NULL, 0, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &others[0]);
    for (int tag = 1; tag >= 0; --tag) {
      MPI_Recv(in, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(is_in(1, tag));
    }
    MPI_Wait(&others[0], MPI_STATUS_IGNORE);
  }""",
    "its_sender_only_looks": """
  int flag = 0;
  if (rank == 1) {
    MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    hindcast_compute_seconds(1);
    MPI_Recv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, 0));
  }""",
    # The net for barriers, by which MPI_Barrier else waits, would keep the rest with its sender.
    "the_rest_goes_in_a_barrier": """
  if (rank == 1) MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
  if (rank == 0) {
    hindcast_compute_seconds(1);
    MPI_Recv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, 0));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);""",
    "the_rest_goes_while_another_send_waits": """
  if (rank == 1) {
    MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(fill(1), bytes, MPI_CHAR, 2, 1, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    MPI_Recv(NULL, 0, MPI_CHAR, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, 0));
  } else if (rank == 2) {
    MPI_Recv(in, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, 1));
    MPI_Send(NULL, 0, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
  }""",
    # The data are the program's no more, and MPI_Finalize lets no part be left behind.
    "freed_or_buffered": """
  static char room[bytes + MPI_BSEND_OVERHEAD];
  void* attached;
  int size;
  if (rank == 1) {
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    memset(out[0], 'x', bytes);
    for (int tag = 1; tag < 3; ++tag) {
      fill(tag);
      if (tag == 1) MPI_Isend(out[tag], bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &requests[0]);
      if (tag == 2) MPI_Issend(out[tag], bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &requests[0]);
      MPI_Request_free(&requests[0]);
      memset(out[tag], 'x', bytes);
    }
    CHECK(MPI_Wtime() < 1);
    MPI_Buffer_detach(&attached, &size);
    CHECK(MPI_Wtime() > 10 && attached == room);
  } else if (rank == 0) {
    hindcast_compute_seconds(10);
    for (int tag = 0; tag < 3; ++tag) {
      MPI_Recv(in, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(is_in(1, tag));
    }
  }""",
    # Its receiver takes no part in that. A message which CellOS has is not given back, and goes on with the data as
    # they were; one that is waited for is, and what has come of it is thrown away, and so is what will come.
    "cancelled_with_parts_left": """
  int flag;
  if (rank == 1) {
    MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(fill(1), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[1]);
    for (int k = 0; k < 2; ++k) {
      MPI_Cancel(&requests[k]);
      MPI_Wait(&requests[k], &status);
      MPI_Test_cancelled(&status, &flag);
      CHECK(flag == (k == 1));
      memset(out[k], 'x', bytes);
    }
    CHECK(MPI_Wtime() < 10);
    MPI_Send(fill(2), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    hindcast_compute_seconds(10);
    for (int tag = 0; tag <= 2; tag += 2) {
      MPI_Recv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(is_in(1, tag));
    }
  }""",
    # It is received, as its sender learns, before the last part is in the send buffer.
    "received_before_it_is_sent": """
  if (rank == 1) {
    MPI_Issend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(fill(1), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    memset(out[0], 'x', bytes);
    MPI_Cancel(&requests[1]);
    MPI_Request_free(&requests[1]);
  } else if (rank == 0) {
    MPI_Irecv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(is_in(1, 0));
  }""",
}


@pytest.mark.parametrize("further", FURTHER, ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_what_is_left_goes_when_there_is_room(run_program, name, further):
    holds(run_program, BODIES[name], further)
