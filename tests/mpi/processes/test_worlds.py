"""Programs of one run that have worlds of their own, and find each other by a port."""

import pytest

from tests.mpi.strategy import launchers_with_births

LAUNCHERS = launchers_with_births()

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char port[MPI_MAX_PORT_NAME];
  int rank, size, other, *universe, flag, value = -1;
  MPI_Comm both;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  if (strcmp(argv[1], "serve") == 0) {
    if (rank == 0) {
      MPI_Open_port(MPI_INFO_NULL, port);
      MPI_Publish_name("sum", MPI_INFO_NULL, port);
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both);
  } else {
    int code = MPI_ERR_NAME;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (rank == 0 && code != MPI_SUCCESS) {
      code = MPI_Lookup_name("sum", MPI_INFO_NULL, port);
      MPI_Wtime();
    }
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both);
  }
  MPI_Comm_remote_size(both, &other);
  MPI_Allreduce(&size, &value, 1, MPI_INT, MPI_SUM, both);
  printf("%s: rank %d of %d, %d there, universe %d, sum %d\n", argv[1], rank, size, other, *universe, value);
  MPI_Comm_disconnect(&both);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("launcher", LAUNCHERS.values(), ids=LAUNCHERS)
@pytest.mark.parametrize("lockstep", [[], ["--lockstep"]])
def test_two_programs_meet(launcher, lockstep, compile_program, hindcast):
    program = compile_program(PROGRAM)
    words = ["-n", 2, program, "serve", ":", "-n", 3, program, "ask"]
    done = hindcast("run", *launcher, *lockstep, "--separate-worlds", *words)
    assert (done.returncode, done.stderr) == (0, "")
    universe = launcher[launcher.index("--universe") + 1] if "--universe" in launcher else 5
    served = [f"serve: rank {rank} of 2, 3 there, universe {universe}, sum 9" for rank in range(2)]
    asked = [f"ask: rank {rank} of 3, 2 there, universe {universe}, sum 4" for rank in range(3)]
    assert sorted(done.stdout.splitlines()) == sorted(served + asked)


def test_in_one_world_they_are_together(compile_program, hindcast):
    source = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("%d\n", size);
  MPI_Finalize();
  return 0;
}
"""
    program = compile_program(source)
    words = ["-n", 2, program, ":", "-n", 1, program]
    assert hindcast("run", *words).stdout.split() == ["3", "3", "3"]
    assert sorted(hindcast("run", "--separate-worlds", *words).stdout.split()) == ["1", "2", "2"]
