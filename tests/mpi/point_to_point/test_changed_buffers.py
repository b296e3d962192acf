"""A run with --check refuses sends and collectives whose buffers the program changes before they are complete."""

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, in = 0, out[2] = {7, 1};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    MPI_Isend(out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* line 10 */
    out[argc > 1 ? 0 : 1] = 8; /* the second is not sent */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", ["ideal", "ap3000", "t3e-900"])
def test_a_check_names_the_send_whose_buffer_has_been_changed(run_program, machine):
    done = run_program(PROGRAM, 2, "change", machine=machine, launcher=["--check"])
    assert done.returncode != 0
    assert "rank 0: MPI_Wait: the buffer of the send to rank 1 with tag 3, begun in main (program" in done.stderr
    assert ".c:10), has been changed before it was complete" in done.stderr
    assert "MPI_ERR_BUFFER" in done.stderr
    assert run_program(PROGRAM, 2, machine=machine, launcher=["--check"]).returncode == 0
    assert run_program(PROGRAM, 2, "change", machine=machine).returncode == 0


def test_addr2line_is_asked_about_a_send_only_if_it_is_told_of(run_program, tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    stand_in = tmp_path / "addr2line"
    stand_in.write_text(f"#!/bin/sh\necho asked >> {asked}\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert run_program(PROGRAM, 2, launcher=["--check"]).returncode == 0
    assert not asked.exists()
    assert run_program(PROGRAM, 2, "change", launcher=["--check"]).returncode != 0
    assert asked.exists()


# Of each operation: how rank 0 begins it, and how the others take part.
OPERATIONS = {
    "MPI_Ibcast": "rank == 0 ? MPI_Ibcast(out, 1, MPI_INT, 0, world, &request) "
    ": MPI_Ibcast(in, 1, MPI_INT, 0, world, &request)",
    "MPI_Igather": "MPI_Igather(out, 1, MPI_INT, in, 1, MPI_INT, 1, world, &request)",
    "MPI_Iscatter": "MPI_Iscatter(out, 1, MPI_INT, in, 1, MPI_INT, 0, world, &request)",
    "MPI_Iscatterv": "MPI_Iscatterv(out, ones, places, MPI_INT, in, 1, MPI_INT, 0, world, &request)",
    "MPI_Iallgather": "MPI_Iallgather(out, 1, MPI_INT, in, 1, MPI_INT, world, &request)",
    "MPI_Ialltoall": "MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, world, &request)",
    "MPI_Ialltoallw": "MPI_Ialltoallw(out, ones, bytes, types, in, ones, bytes, types, world, &request)",
    "MPI_Ireduce": "MPI_Ireduce(out, in, 1, MPI_INT, MPI_SUM, 1, world, &request)",
    "MPI_Iallreduce": "MPI_Iallreduce(out, in, 1, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Iscan": "MPI_Iscan(out, in, 1, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Ireduce_scatter": "MPI_Ireduce_scatter(out, in, ones, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Ineighbor_allgather": "MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring, &request)",
    "MPI_Bcast_init": "(MPI_Bcast_init(rank == 0 ? out : in, 1, MPI_INT, 0, world, MPI_INFO_NULL, &request), "
    "MPI_Start(&request))",
    "MPI_Allreduce_init": "(MPI_Allreduce_init(out, in, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request), "
    "MPI_Start(&request))",
    "the send to rank 1 with tag 3": "MPI_Isendrecv(out, 1, MPI_INT, 1 - rank, 3, in, 1, MPI_INT, 1 - rank, 3, world, "
    "&request)",
}
IN_PLACE = {
    "MPI_Iallgather": "MPI_Iallgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, world, &request)",
    "MPI_Ialltoall": "MPI_Ialltoall(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, world, &request)",
    "MPI_Iallreduce": "MPI_Iallreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Iscan": "MPI_Iscan(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Ireduce_scatter": "MPI_Ireduce_scatter(MPI_IN_PLACE, in, ones, MPI_INT, MPI_SUM, world, &request)",
    "MPI_Ireduce": "MPI_Ireduce(rank == 0 ? MPI_IN_PLACE : out, in, 1, MPI_INT, MPI_SUM, 0, world, &request)",
    "MPI_Igather": "MPI_Igather(rank == 0 ? MPI_IN_PLACE : out, 1, MPI_INT, in, 1, MPI_INT, 0, world, &request)",
    "MPI_Isendrecv_replace": "MPI_Isendrecv_replace(out, 1, MPI_INT, 1 - rank, 3, 1 - rank, 3, world, &request)",
}

COLLECTIVE = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, in[4] = {0}, out[4] = {7, 7, 1, 1}, ones[2] = {1, 1}, places[2] = {0, 1}, bytes[2] = {0, 4};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm ring, world = MPI_COMM_WORLD;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Cart_create(world, 1, (int[]){2}, (int[]){0}, 0, &ring);
  MPI_Comm_rank(world, &rank);
  BEGIN; /* line 11 */
  if (rank == 0) out[argc > 1 ? 0 : 3] = 8; /* the last is not sent */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_check_names_the_operation_whose_buffer_has_been_changed(run_program, name):
    program = COLLECTIVE.replace("BEGIN", OPERATIONS[name])
    done = run_program(program, 2, "change", launcher=["--check"])
    assert done.returncode != 0
    assert f"rank 0: MPI_Wait: the buffer of {name}, begun in main (program" in done.stderr
    assert ".c:11), has been changed before it was complete" in done.stderr
    assert "MPI_ERR_BUFFER" in done.stderr
    assert run_program(program, 2, launcher=["--check"]).returncode == 0
    assert run_program(program, 2, "change").returncode == 0


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_buffer_in_which_something_comes_in_is_none_that_is_only_sent(run_program, name):
    done = run_program(COLLECTIVE.replace("BEGIN", IN_PLACE[name]), 2, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")
