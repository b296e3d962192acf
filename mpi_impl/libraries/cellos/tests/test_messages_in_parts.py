"""What MPI promises of a message holds for one that goes in parts."""

import json

import pytest

from mpi_impl.libraries.cellos.tests.numbers import CLOCK_READ, COPY, DOMAIN, HOP, PROBE, RECEIVE, SEND, on_net
from mpi_impl.libraries.cellos.tests.parts import FURTHER, holds

BODIES = {
    # Short ones of the same tag lie between long ones, and do not overtake them.
    "order_of_a_pair": """
  if (rank == 1) {
    for (int tag = 0; tag < most; ++tag)
      MPI_Isend(fill(tag), tag % 2 ? 8 : bytes, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &requests[tag]);
    MPI_Waitall(most, requests, MPI_STATUSES_IGNORE);
  }
  for (int tag = 0; rank == 0 && tag < most; ++tag) {
    MPI_Recv(in, bytes, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &status);
    CHECK(count_of(&status) == (tag % 2 ? 8 : bytes));
    CHECK(tag % 2 ? memcmp(in, (char[]){at(0, 1, tag), at(1, 1, tag)}, 2) == 0 : is_in(1, tag));
  }""",
    "last_first": """
  if (rank == 1) {
    for (int tag = 0; tag < most; ++tag)
      MPI_Isend(fill(tag), bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &requests[tag]);
    MPI_Waitall(most, requests, MPI_STATUSES_IGNORE);
  }
  for (int tag = most - 1; rank == 0 && tag >= 0; --tag) {
    MPI_Recv(in, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(1, tag));
  }""",
    # What is asked for first comes last, of all.
    "several_held_up": """
  if (rank > 0) {
    MPI_Isend(fill(1), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(NULL, 0, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  for (int from = 1; rank == 0 && from < ranks; ++from)
    MPI_Recv(NULL, 0, MPI_CHAR, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int from = ranks - 1; rank == 0 && from > 0; --from) {
    MPI_Recv(in, bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(from, 1));
  }""",
    # The same, by one who never waits.
    "held_up_by_who_only_looks": """
  int flag;
  if (rank > 0) {
    MPI_Isend(fill(1), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(NULL, 0, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  for (int from = 1; rank == 0 && from < ranks; ++from) {
    MPI_Irecv(NULL, 0, MPI_CHAR, from, 2, MPI_COMM_WORLD, &requests[0]);
    for (flag = 0; !flag;) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  }
  for (int from = ranks - 1; rank == 0 && from > 0; --from) {
    for (flag = 0; !flag;) MPI_Iprobe(from, 1, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(in, bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(from, 1));
  }""",
    # No wildcard takes a part: as many messages are found as were sent, and then there are none.
    "wildcards_and_probes": """
  int flag;
  for (int tag = 0; rank > 0 && tag < 2; ++tag) MPI_Send(fill(tag), bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < 2 * (ranks - 1); ++k) {
    if (k % 3 == 0) {
      MPI_Message message;
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      CHECK(count_of(&status) == bytes);
      MPI_Mrecv(in, bytes, MPI_CHAR, &message, &status);
    } else if (k % 3 == 1) {
      do MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      while (!flag);
      CHECK(count_of(&status) == bytes);
      MPI_Recv(in, bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else {
      MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
    CHECK(count_of(&status) == bytes && is_in(status.MPI_SOURCE, status.MPI_TAG));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);""",
    # What does not fit is thrown away, to the last part, and the next message is as ever.
    "truncation": """
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int tag = 0; rank == 1 && tag < 2; ++tag) MPI_Send(fill(tag), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int class;
    in[100000] = 'x';
    MPI_Error_class(MPI_Recv(in, 100000, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &status), &class);
    CHECK(class == MPI_ERR_TRUNCATE && in[100000] == 'x' && in[99999] == at(99999, 1, 0));
    MPI_Recv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &status);
    CHECK(is_in(1, 1));
  }""",
    "all_to_all_at_once": """
  MPI_Sendrecv(fill(0), bytes, MPI_CHAR, (rank + 1) % ranks, 0, in, bytes, MPI_CHAR, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, &status);
  CHECK(is_in((rank + ranks - 1) % ranks, 0));
  for (int to = 0; to < ranks; ++to) MPI_Isend(fill(1), bytes, MPI_CHAR, to, 1, MPI_COMM_WORLD, &requests[to]);
  for (int from = ranks - 1; from >= 0; --from) {
    MPI_Recv(in, bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(from, 1));
  }
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);""",
    "to_oneself_alone": """
  MPI_Irecv(in, bytes, MPI_CHAR, 0, 0, MPI_COMM_SELF, &requests[0]);
  MPI_Send(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(is_in(rank, 0));""",
    "every_second_byte": """
  MPI_Datatype vector;
  static char sparse[2 * bytes];
  MPI_Type_vector(bytes, 1, 2, MPI_CHAR, &vector);
  MPI_Type_commit(&vector);
  const int other = rank ^ 1;
  if (other < ranks) {
    fill(0);
    for (int i = 0; i < bytes; ++i) sparse[2 * i] = out[0][i];
    MPI_Isend(sparse, 1, vector, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(in, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(is_in(other, 0));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Irecv(sparse, 1, vector, other, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(fill(1), bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; ++i) in[i] = sparse[2 * i];
    CHECK(is_in(other, 1));
  }
  MPI_Type_free(&vector);""",
    "between_two_groups": """
  MPI_Comm group, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &both);
  if (rank > 0) {
    MPI_Isend(fill(0), bytes, MPI_CHAR, 0, 0, both, &requests[0]);
    MPI_Recv(in, bytes, MPI_CHAR, 0, 1, both, MPI_STATUS_IGNORE);
    CHECK(is_in(0, 1));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else {
    for (int from = 0; from < ranks - 1; ++from)
      MPI_Isend(fill(1), bytes, MPI_CHAR, from, 1, both, &requests[from]);
    for (int from = ranks - 2; from >= 0; --from) {
      MPI_Recv(in, bytes, MPI_CHAR, from, 0, both, MPI_STATUS_IGNORE);
      CHECK(is_in(from + 1, 0));
    }
    MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Comm_free(&both);
  MPI_Comm_free(&group);""",
    # The ready one has its receive; the synchronous one ends when it is received; one that was started twice comes
    # twice.
    "modes": """
  if (rank == 0) {
    MPI_Irecv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(NULL, 0, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(is_in(1, 0));
    for (int tag = 1; tag < 4; ++tag) {
      MPI_Recv(in, bytes, MPI_CHAR, 1, tag > 2 ? 2 : tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(is_in(1, tag > 2 ? 2 : tag));
    }
  } else if (rank == 1) {
    MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    MPI_Ssend(fill(1), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    MPI_Send_init(fill(2), bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[0]);
    for (int k = 0; k < 2; ++k) MPI_Start(&requests[0]), MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
  }""",
    # Of a synchronous send that is cancelled no part is left in anybody's way.
    "cancelled": """
  int flag;
  if (rank == 1) {
    MPI_Issend(fill(0), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Send(fill(1), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Recv(NULL, 0, MPI_CHAR, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(is_in(1, 1));
  } else if (rank == 2) {
    hindcast_compute_seconds(10);
    MPI_Send(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }""",
}


@pytest.mark.parametrize("further", FURTHER, ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_what_mpi_promises_holds_for_a_message_in_parts(run_program, name, further):
    holds(run_program, BODIES[name], further)


LONGEST = (4 << 20) - 16  # the buffers' size, less the header
ANNOUNCEMENT = 16

ONE_MESSAGE = """#include <mpi.h>
#include <stdio.h>
static char data[5000000];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, %d, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, %d, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%%d %%.9f\\n", rank, 1e6 * (MPI_Wtime() - start));
  MPI_Finalize();
  return 0;
}
"""


def times_of_one(run_program, size, way):
    done = run_program(
        ONE_MESSAGE % (size, size), 2, machine="ap1000", launcher=["--set", f"mpi.longer_messages={way}"]
    )
    assert done.returncode == 0, done.stderr
    return [float(line.split()[1]) for line in sorted(done.stdout.splitlines())]


def test_a_message_of_two_parts_takes_what_its_messages_take(run_program):
    """The announcement, and behind it the longest message that there is, and one of a byte. This is copied to the send
    buffer when the first part has left it, and enters the net when that has been copied out of the ring buffer. A part
    is there for up to a probe before it is found."""
    sender, receiver = times_of_one(run_program, LONGEST + 1, "parts")
    starts = 2 * (SEND + DOMAIN) + COPY * (ANNOUNCEMENT + LONGEST)
    assert sender == pytest.approx(starts + on_net(LONGEST) + COPY + CLOCK_READ, abs=1e-3)
    parts = [HOP + on_net(size) + PROBE + RECEIVE + COPY * size for size in (LONGEST, 1)]
    at_least = starts + sum(parts) + CLOCK_READ
    assert at_least <= receiver <= at_least + 2 * PROBE


def test_a_message_that_fits_takes_no_longer_than_if_others_are_refused(run_program):
    assert times_of_one(run_program, LONGEST, "parts") == times_of_one(run_program, LONGEST, "refuse")


def test_explain_shows_all_that_happens_to_a_message_in_parts(hindcast):
    done = hindcast(
        *["explain", "-m", "ap1000", "--set", "mpi.longer_messages=parts", "--bytes", str(LONGEST + 1), "--json"]
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    steps = [step for part in ("steps", "at_the_same_time") for step in told[part]]
    copied = [step["amount"] for step in steps if step.get("step") == "copy out of the ring buffer"]
    assert sorted(copied) == [1, ANNOUNCEMENT, LONGEST]
    assert sum(step.get("step") == "call that sends" for step in steps) == 3
    assert any(step.get("step") == "wait for room at the receiver" for step in steps)


def test_buffers_too_small_for_an_announcement_refuse_as_ever(run_program):
    words = ["mpi.longer_messages=parts", "cellos.ring_buffer=24 B"]
    launcher = [word for change in words for word in ("--set", change)]
    done = run_program(ONE_MESSAGE % (40, 40), 2, machine="ap1000", launcher=launcher)
    assert done.returncode != 0
    assert "a message of 40 bytes; this machine's longest has 8 (cellos.ring_buffer" in done.stderr


def test_what_can_be_chosen_for_longer_messages_is_told(hindcast):
    done = hindcast("show", "ap1000", "--set", "mpi.longer_messages=pieces")
    assert done.returncode != 0
    assert "mpi.longer_messages=pieces: 'pieces' is not one of parts, put, refuse" in done.stderr
