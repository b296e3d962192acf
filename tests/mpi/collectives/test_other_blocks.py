"""A run with --check refuses collective calls in which a rank sends another something else than it receives."""

import pytest

PROGRAM = """
#include <mpi.h>
#include <string.h>
static int rank, size, side;
static char out[1024], in[1024];
static int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, lengths[4] = {1, 2, 3, 4}, places[8] = {0, 1, 3, 6, 10, 11, 12, 13};
static int bytes_from_begin[8] = {0, 8, 16, 24, 32, 40, 48, 56};
static MPI_Aint addresses[8] = {0, 8, 16, 24, 32, 40, 48, 56};
static MPI_Comm world, half, across, ring, twice;
static MPI_Request request;
static MPI_Datatype ints[8], others[8], other, two;
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  side = rank % 2;
  MPI_Comm_split(world, side, 0, &half);
  MPI_Intercomm_create(half, 0, world, 1 - side, 7, &across);
  const int dims[1] = {2}, periods[1] = {1};
  MPI_Cart_create(half, 1, dims, periods, 0, &ring);
  const int neighbours[2] = {(rank + 1) % size, (rank + 1) % size}, before[2] = {(rank + 3) % size, (rank + 3) % size};
  MPI_Dist_graph_create_adjacent(world, 2, before, MPI_UNWEIGHTED, 2, neighbours, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &twice);
  const int is_odd = rank == 2;
  other = is_odd ? MPI_FLOAT : MPI_INT;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  for (int i = 0; i < 8; ++i) {
    ints[i] = MPI_INT;
    others[i] = is_odd && i % 2 == 1 ? MPI_FLOAT : MPI_INT;
  }
  CALL;
  MPI_Finalize();
  return 0;
}
"""
WAIT = "MPI_Wait(&request, MPI_STATUS_IGNORE)"
# The root of a call across is rank 1 of the odd ones.
ROOT = "side == 1 ? rank == 3 ? MPI_ROOT : MPI_PROC_NULL : 1"
INT, FLOAT = "an integer of 4 bytes at byte 0", "a floating-point number of 4 bytes at byte 0"
WRONG = {
    "gatherv": "MPI_Gatherv(out, rank + 1, other, in, lengths, places, MPI_INT, 1, world)",
    "igatherv": f"MPI_Igatherv(out, rank + 1, other, in, lengths, places, MPI_INT, 1, world, &request); {WAIT}",
    "scatterv": "MPI_Scatterv(out, lengths, places, MPI_INT, in, rank + 1, other, 1, world)",
    "allgatherv": "MPI_Allgatherv(out, rank + 1, other, in, lengths, places, MPI_INT, world)",
    "alltoallv": "MPI_Alltoallv(out, ones, places, MPI_INT, in, ones, places, other, world)",
    "alltoallv in place": "MPI_Alltoallv(MPI_IN_PLACE, ones, places, MPI_INT, in, ones, places, other, world)",
    "alltoallw": ("MPI_Alltoallw(out, ones, bytes_from_begin, ints, in, ones, bytes_from_begin, others, world)"),
    "alltoallv made": (
        "MPI_Alltoallv_init(out, ones, places, MPI_INT, in, ones, places, other, world, MPI_INFO_NULL, &request); "
        f"MPI_Start(&request); {WAIT}; MPI_Request_free(&request)"
    ),
    "gather at its root": "MPI_Gather(out, 1, MPI_INT, in, 1, other, 2, world)",
    "scatter at its root": "MPI_Scatter(out, 1, other, in, 1, MPI_INT, 2, world)",
    "allgather": "MPI_Allgather(out, 1, MPI_INT, in, 1, other, world)",
    "alltoall": "MPI_Alltoall(out, 1, MPI_INT, in, 1, other, world)",
    "neighbor_allgather": "MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, other, ring)",
    "neighbor_allgatherv": "MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, ones, places, other, twice)",
    "neighbor_alltoall": "MPI_Neighbor_alltoall(out, 1, other, in, 1, MPI_INT, twice)",
    "neighbor_alltoallv": "MPI_Neighbor_alltoallv(out, ones, places, other, in, ones, places, MPI_INT, ring)",
    "neighbor_alltoallw": "MPI_Neighbor_alltoallw(out, ones, addresses, others, in, ones, addresses, ints, ring)",
    "bcast across": f"MPI_Bcast(out, 1, other, {ROOT}, across)",
    "gather across": f"MPI_Gather(out, 1, other, in, 1, MPI_INT, {ROOT}, across)",
    "gatherv across": f"MPI_Gatherv(out, rank / 2 + 1, other, in, lengths, places, MPI_INT, {ROOT}, across)",
    "scatter across": f"MPI_Scatter(out, 1, MPI_INT, in, 1, other, {ROOT}, across)",
    "scatterv across": f"MPI_Scatterv(out, lengths, places, MPI_INT, in, rank / 2 + 1, other, {ROOT}, across)",
    "allgather across": "MPI_Allgather(out, 1, other, in, 1, MPI_INT, across)",
    "allgatherv across": "MPI_Allgatherv(out, rank / 2 + 1, other, in, lengths, places, MPI_INT, across)",
    "alltoall across": "MPI_Alltoall(out, 1, MPI_INT, in, 1, other, across)",
    "alltoallv across": "MPI_Alltoallv(out, ones, places, MPI_INT, in, ones, places, other, across)",
    "alltoallw across": (
        "MPI_Alltoallw(out, ones, bytes_from_begin, ints, in, ones, bytes_from_begin, others, across)"
    ),
    "reduce across": f"MPI_Reduce(out, in, 1, other, MPI_SUM, {ROOT}, across)",
    "allreduce across": "MPI_Allreduce(out, in, 1, other, MPI_SUM, across)",
    "reduce_scatter across": "MPI_Reduce_scatter(out, in, ones, other, MPI_SUM, across)",
    "reduce_scatter_block across": "MPI_Reduce_scatter_block(out, in, 1, other, MPI_SUM, across)",
}
AMOUNTS = {
    "gatherv": "MPI_Gatherv(out, is_odd ? 2 : rank + 1, MPI_INT, in, lengths, places, MPI_INT, 1, world)",
    "scatterv": "MPI_Scatterv(out, lengths, places, MPI_INT, in, rank == 1 ? 3 : rank + 1, MPI_INT, 2, world)",
    "allgatherv": "MPI_Allgatherv(out, is_odd ? 2 : rank + 1, MPI_INT, in, lengths, places, MPI_INT, world)",
    "alltoallv": (
        "int mine[4] = {is_odd ? 3 : 2, 2, 2, 2}, all[4] = {2, 2, 2, 2}, at[4] = {0, 3, 6, 9}; "
        "MPI_Alltoallv(out, all, at, MPI_INT, in, mine, at, MPI_INT, world)"
    ),
    "neighbor_alltoall": "MPI_Neighbor_alltoall(out, 2, MPI_INT, in, is_odd ? 3 : 2, MPI_INT, ring)",
    "allgather across": "MPI_Allgather(out, 2, MPI_INT, in, side == 1 ? 2 : 3, MPI_INT, across)",
    "reduce across": f"MPI_Reduce(out, in, side == 0 ? 2 : 3, MPI_INT, MPI_SUM, {ROOT}, across)",
}
RIGHT = {
    "nothing, of another datatype": (
        "int no_last[4] = {1, 2, 3, 0}; MPI_Datatype mine = rank == 3 ? MPI_DOUBLE : MPI_INT; "
        "MPI_Allgatherv(out, rank == 3 ? 0 : rank + 1, mine, in, no_last, places, MPI_INT, world); "
        "MPI_Gatherv(out, rank == 3 ? 0 : rank + 1, mine, in, no_last, places, MPI_INT, 0, world); "
        "MPI_Datatype none[8]; int no[8] = {0}; for (int i = 0; i < 8; ++i) none[i] = MPI_DATATYPE_NULL; "
        "MPI_Alltoallw(out, no, no, rank == 1 ? none : ints, in, no, no, ints, world)"
    ),
    "as derived datatypes": (
        "int pairs[4] = {2, 2, 2, 2}, at[4] = {0, 2, 4, 6}, half_of_it[4] = {0, 1, 2, 3}; "
        "MPI_Allgatherv(out, is_odd ? 1 : 2, is_odd ? two : MPI_INT, in, is_odd ? ones : pairs, "
        "is_odd ? half_of_it : at, is_odd ? two : MPI_INT, world); "
        "MPI_Alltoallv(out, is_odd ? ones : pairs, is_odd ? half_of_it : at, is_odd ? two : MPI_INT, in, pairs, at, "
        "MPI_INT, world)"
    ),
    "as bytes and without a sign": (
        "MPI_Gatherv(out, 4 * (rank + 1), MPI_BYTE, in, lengths, places, MPI_FLOAT, 1, world); "
        "MPI_Alltoall(out, 1, MPI_UNSIGNED, in, 1, MPI_INT, across)"
    ),
    "what has no meaning": (
        "MPI_Gather(out, 1, MPI_INT, in, is_odd ? 1 : 7, is_odd ? MPI_INT : MPI_DOUBLE, 2, world); "
        "MPI_Gather(is_odd ? MPI_IN_PLACE : out, 1, is_odd ? MPI_DOUBLE : MPI_INT, in, 1, MPI_INT, 2, world); "
        "MPI_Scatterv(out, lengths, places, is_odd ? MPI_INT : MPI_DOUBLE, is_odd ? MPI_IN_PLACE : in, rank + 1, "
        "is_odd ? MPI_DOUBLE : MPI_INT, 2, world); "
        "MPI_Alltoallv(MPI_IN_PLACE, ones, places, MPI_DOUBLE, in, ones, places, MPI_INT, world); "
        "MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, ones, bytes_from_begin, ints, world); "
        f"MPI_Bcast(out, rank == 1 ? 5 : 1, rank == 1 ? MPI_DOUBLE : MPI_INT, {ROOT}, across); "
        f"MPI_Gather(out, 1, side == 0 ? MPI_INT : MPI_DOUBLE, in, 1, rank == 3 ? MPI_INT : MPI_DOUBLE, {ROOT}, across)"
    ),
    "one way across": (
        "MPI_Allgather(out, side == 0 ? 2 : 0, MPI_INT, in, side == 1 ? 2 : 0, MPI_INT, across); "
        "MPI_Alltoall(out, side == 0 ? 2 : 0, MPI_INT, in, side == 1 ? 2 : 0, MPI_INT, across)"
    ),
    "parts of other lengths across": (
        "int parts[2] = {side == 0 ? 1 : 3, side == 0 ? 3 : 1}; "
        "MPI_Reduce_scatter(out, in, parts, MPI_INT, MPI_SUM, across); "
        "MPI_Allreduce(out, in, 4, MPI_INT, MPI_MAX, across)"
    ),
    "both ways to the one other of a ring": (
        "MPI_Datatype to[2] = {MPI_INT, MPI_DOUBLE}, from[2] = {MPI_DOUBLE, MPI_INT}; "
        "MPI_Neighbor_alltoallw(out, ones, addresses, to, in, ones, addresses, from, ring)"
    ),
    "twice to one neighbour": (
        "MPI_Datatype both[2] = {MPI_INT, MPI_DOUBLE}; "
        "MPI_Neighbor_alltoallw(out, ones, addresses, both, in, ones, addresses, both, twice)"
    ),
    "several at once": (
        "MPI_Request all[3]; MPI_Datatype one = side ? MPI_FLOAT : MPI_INT; "
        "MPI_Igatherv(out, rank + 1, MPI_INT, in, lengths, places, MPI_INT, 1, world, all); "
        "MPI_Iallgather(out + 512, 1, one, in + 512, 1, one, half, all + 1); "
        "MPI_Igatherv(out, rank + 1, MPI_FLOAT, in + 256, lengths, places, MPI_FLOAT, 3, world, all + 2); "
        "MPI_Waitall(3, all, MPI_STATUSES_IGNORE)"
    ),
}


def program(call):
    return PROGRAM.replace("CALL;", f"{call};")


@pytest.mark.parametrize("how", WRONG)
def test_a_check_names_both_ranks_and_numbers(run_program, how):
    done = run_program(program(WRONG[how]), 4, launcher=["--check"])
    assert done.returncode != 0
    [line] = [line for line in done.stderr.splitlines() if "what one rank sends the other has to receive" in line]
    assert INT in line
    assert FLOAT in line
    assert ("the other group of an intercommunicator" in line) == ("across" in how)
    assert "sends itself" in line or "(in main (program" in line
    assert "MPI_ERR_TYPE" in done.stderr


@pytest.mark.parametrize("how", AMOUNTS)
def test_a_check_names_amounts_that_are_less_than_is_received(run_program, how):
    done = run_program(program(AMOUNTS[how]), 4, launcher=["--check"])
    assert done.returncode != 0
    [line] = [line for line in done.stderr.splitlines() if "what one rank sends the other has to receive" in line]
    assert "8 bytes" in line
    assert "12 bytes" in line


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "earth-simulator", "i-way"])
@pytest.mark.parametrize("how", RIGHT)
def test_what_comes_out_right_is_not_refused(run_program, machine, how):
    done = run_program(program(RIGHT[how]), 4, machine=machine, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")
