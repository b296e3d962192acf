"""Lines that ranks have begun and not ended when a run ends before its time."""

import subprocess

import pytest

PROGRAM = """
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void begin_line(const char* text) {
  printf("%s", text);
  fflush(stdout);
}
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) begin_line("begun by 0");
  if (rank == 1) fputs("begun in error by 1", stderr);
  if (rank == 2) printf("ended by 2\\n");
  if (rank == 2) hindcast_compute_seconds(1);
  if (rank == 2) begin_line("begun in time");
  if (rank == 0) hindcast_compute_seconds(5);
  if (rank == 0) begin_line(", and gone on with too late");
  if (rank == 3) hindcast_compute_seconds(2);
  if (rank == 3) printf("own line");
  if (rank == 3 && strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 3 && strcmp(argv[1], "crash") == 0) abort();
  if (rank == 3 && strcmp(argv[1], "exit") == 0) exit(3);
  if (rank == 3 && strcmp(argv[1], "wait") == 0) MPI_Recv(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def program(compile_program):
    return compile_program(PROGRAM)


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("end", ["abort", "crash", "exit"])
def test_what_was_written_of_them_by_then_is_shown(hindcast, program, end, mode):
    done = hindcast("run", "-n", 4, *mode, program, end)
    assert done.returncode == (134 if end == "crash" else 3)
    assert done.stdout == "ended by 2\nown line\nbegun by 0\nbegun in time\n"
    first, complaint = done.stderr.splitlines()[:2]
    assert first == "begun in error by 1"
    assert complaint.startswith("hindcast: rank 3")


def test_they_are_shown_before_a_deadlock_is_told(hindcast, program):
    done = hindcast("run", "-n", 4, program, "wait")
    assert done.returncode == 1
    assert done.stdout == "ended by 2\nbegun by 0, and gone on with too late\nbegun in time\n"
    assert done.stderr.startswith("begun in error by 1\nhindcast: deadlock at ")


def test_they_are_shown_where_simulated_time_is_up(hindcast, program):
    done = hindcast("run", "-n", 4, "--max-time", "1500ms", program, "wait")
    assert done.stdout == "ended by 2\nbegun by 0\nbegun in time\n"
    assert done.stderr.startswith("begun in error by 1\nhindcast: the time limit of 1.5 s is reached")


def test_each_has_its_ranks_label(hindcast, program):
    done = hindcast("run", "-n", 4, "--label", program, "abort")
    assert done.stdout == "[2] ended by 2\n[3] own line\n[0] begun by 0\n[2] begun in time\n"


def test_what_hindcast_says_has_a_line_of_its_own_in_the_same_file(build, compile_program):
    source = """
        #include <mpi.h>
        #include <stdio.h>
        int main(int argc, char** argv) {
          MPI_Init(&argc, &argv);
          printf("own line");
          MPI_Abort(MPI_COMM_WORLD, 3);
        }
    """
    command = [build / "bin" / "hindcast", "run", "-n", "1", compile_program(source)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.stdout.splitlines()[0] == "own line"
    assert done.stdout.splitlines()[1].startswith("hindcast: rank 0: MPI_Abort called")
    apart = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert apart.stdout == "own line"
    assert apart.stderr.startswith("hindcast: rank 0: MPI_Abort called")
