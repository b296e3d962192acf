"""A run with --check refuses messages that are received as other numbers than they were sent."""

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define INT_AND_DOUBLE(type) do { \\
    int ones[2] = {1, 1}; MPI_Aint places[2] = {0, 8}; MPI_Datatype both[2] = {MPI_INT, MPI_DOUBLE}; \\
    MPI_Type_create_struct(2, ones, places, both, &type); MPI_Type_commit(&type); } while (0)
int main(int argc, char** argv) {
  int rank, size;
  char out[128] = {0}, in[128], room[256];
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Datatype pair;
  MPI_Request request, two[2];
  MPI_Message message;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  INT_AND_DOUBLE(pair);
  MPI_Buffer_attach(room, sizeof room);
  if (rank == 0) { SEND; }
  if (rank == 1) { RECEIVE; }
  (void)size; (void)out; (void)in; (void)request; (void)two; (void)message;
  { void* buffer; MPI_Buffer_detach(&buffer, &size); }
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
"""
WAIT = "MPI_Wait(&request, MPI_STATUS_IGNORE)"


def send(count, datatype):
    return f"MPI_Send(out, {count}, {datatype}, 1, 7, world)"


def receive(count, datatype):
    return f"MPI_Recv(in, {count}, {datatype}, 0, 7, world, MPI_STATUS_IGNORE)"


# How it is sent and received, at which byte numbers differ, and which these are.
WRONG = {
    "predefined": (send(4, "MPI_INT"), receive(4, "MPI_FLOAT"), 0, "an integer of 4", "a floating-point number of 4"),
    "longer": (send(2, "MPI_LONG"), receive(8, "MPI_INT"), 0, "an integer of 8", "an integer of 4"),
    "in a struct": (send(3, "pair"), receive(9, "MPI_INT"), 4, "a floating-point number of 8", "an integer of 4"),
    "in the second struct": (
        send(2, "pair"),
        f"MPI_Datatype twice; MPI_Datatype types[3] = {{pair, MPI_INT, MPI_FLOAT}}; int ones[3] = {{1, 1, 2}}; "
        f"MPI_Aint places[3] = {{0, 16, 20}}; MPI_Type_create_struct(3, ones, places, types, &twice); "
        f"MPI_Type_commit(&twice); {receive(1, 'twice')}",
        16,
        "a floating-point number of 8",
        "a floating-point number of 4",
    ),
    "requests": (
        f"MPI_Isend(out, 4, MPI_INT, 1, 7, world, &request); {WAIT}",
        f"MPI_Irecv(in, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &request); {WAIT}",
        0,
        "an integer of 4",
        "a floating-point number of 8",
    ),
    "the second start": (
        f"MPI_Send(out, 1, MPI_FLOAT, 1, 7, world); {send(1, 'MPI_INT')}",
        "MPI_Recv_init(in, 1, MPI_FLOAT, 0, 7, world, &request); "
        f"MPI_Start(&request); {WAIT}; MPI_Start(&request); {WAIT}",
        0,
        "an integer of 4",
        "a floating-point number of 4",
    ),
    "an exchange": (
        "MPI_Sendrecv(out, 2, MPI_INT, 1, 7, in, 2, MPI_INT, 1, 7, world, MPI_STATUS_IGNORE)",
        "MPI_Sendrecv(out, 2, MPI_INT, 0, 7, in, 2, MPI_FLOAT, 0, 7, world, MPI_STATUS_IGNORE)",
        0,
        "an integer of 4",
        "a floating-point number of 4",
    ),
    "an exchange with a request": (
        f"MPI_Isendrecv(out, 2, MPI_INT, 1, 7, in, 2, MPI_INT, 1, 7, world, &request); {WAIT}",
        f"MPI_Isendrecv(out, 2, MPI_INT, 0, 7, in, 2, MPI_FLOAT, 0, 7, world, &request); {WAIT}",
        0,
        "an integer of 4",
        "a floating-point number of 4",
    ),
    "an exchange in one buffer": (
        "MPI_Sendrecv_replace(out, 2, pair, 1, 7, 1, 7, world, MPI_STATUS_IGNORE)",
        "MPI_Sendrecv_replace(out, 6, MPI_INT, 0, 7, 0, 7, world, MPI_STATUS_IGNORE)",
        4,
        "a floating-point number of 8",
        "an integer of 4",
    ),
    "an exchange in one buffer with a request": (
        f"MPI_Isendrecv_replace(out, 2, MPI_INT, 1, 7, MPI_PROC_NULL, 7, world, &request); {WAIT}",
        receive(2, "MPI_FLOAT"),
        0,
        "an integer of 4",
        "a floating-point number of 4",
    ),
    "buffered and matched": (
        "MPI_Bsend(out, 2, MPI_SHORT, 1, 7, world)",
        "MPI_Mprobe(0, 7, world, &message, MPI_STATUS_IGNORE); "
        "MPI_Mrecv(in, 2, MPI_FLOAT, &message, MPI_STATUS_IGNORE)",
        0,
        "an integer of 2",
        "a floating-point number of 4",
    ),
}
RIGHT = {
    "the same": (send(3, "pair"), receive(3, "pair")),
    "fewer": (send(1, "pair"), receive(8, "pair")),
    "with and without a sign": (send(4, "MPI_INT"), receive(4, "MPI_UNSIGNED")),
    "of two numbers": (send(2, "MPI_C_DOUBLE_COMPLEX"), receive(4, "MPI_DOUBLE")),
    "as bytes": (send(3, "pair"), receive(36, "MPI_BYTE")),
    "packed": (
        "int place = 0; MPI_Pack(out, 2, pair, in, 128, &place, world); MPI_Send(in, place, MPI_PACKED, 1, 7, world)",
        receive(2, "pair"),
    ),
    "in one buffer": (
        "MPI_Sendrecv_replace(out, 2, pair, 1, 7, 1, 7, world, MPI_STATUS_IGNORE); "
        f"MPI_Isendrecv_replace(out, 24, MPI_BYTE, 1, 7, 1, 7, world, &request); {WAIT}",
        "MPI_Sendrecv_replace(out, 24, MPI_BYTE, 0, 7, 0, 7, world, MPI_STATUS_IGNORE); "
        f"MPI_Isendrecv_replace(out, 2, pair, 0, 7, 0, 7, world, &request); {WAIT}",
    ),
    "in another order": (
        "MPI_Isend(out, 4, MPI_INT, 1, 1, world, two); MPI_Isend(out, 4, MPI_DOUBLE, 1, 2, world, two + 1); "
        "MPI_Waitall(2, two, MPI_STATUSES_IGNORE)",
        "MPI_Irecv(in, 4, MPI_DOUBLE, 0, 2, world, two); MPI_Irecv(in + 32, 4, MPI_INT, 0, 1, world, two + 1); "
        "MPI_Waitall(2, two, MPI_STATUSES_IGNORE)",
    ),
    "after a cancelled receive": (
        f"MPI_Barrier(world); {send(1, 'MPI_INT')}",
        f"MPI_Irecv(in, 1, MPI_FLOAT, 0, 7, world, &request); MPI_Cancel(&request); {WAIT}; MPI_Barrier(world); "
        f"{receive(1, 'MPI_INT')}",
    ),
}


def program(send, receive):
    return PROGRAM.replace("SEND;", f"{send};").replace("RECEIVE;", f"{receive};")


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "ap3000", "t3e-900", "earth-simulator", "i-way", "argonne-sp"])
def test_a_check_names_the_message_and_both_numbers(run_program, machine):
    send, receive, _, sent, received = WRONG["predefined"]
    done = run_program(program(send, receive), 2, machine=machine, launcher=["--check"])
    assert done.returncode != 0
    assert "rank 1: MPI_Recv: the message from rank 0, tag 7, MPI_COMM_WORLD, sent in main (program" in done.stderr
    assert f", has, at byte 0, {sent} bytes where the datatype of this receive has {received} bytes" in done.stderr
    assert "MPI_ERR_TYPE" in done.stderr
    assert run_program(program(send, receive), 2, machine=machine).returncode == 0


@pytest.mark.parametrize("how", WRONG)
def test_however_it_is_sent_and_received(run_program, how):
    send, receive, at, sent, received = WRONG[how]
    done = run_program(program(send, receive), 2, launcher=["--check"])
    assert f"at byte {at}, {sent} bytes where the datatype of this receive has {received} bytes" in done.stderr


@pytest.mark.parametrize("machine", ["ideal", "t3e-900"])
@pytest.mark.parametrize("how", RIGHT)
def test_what_comes_out_right_is_not_refused(run_program, machine, how):
    done = run_program(program(*RIGHT[how]), 2, machine=machine, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")
