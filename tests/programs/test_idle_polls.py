"""Ranks that look again and again for what never comes, by calls of MPI's and of the machines' own libraries."""

import pytest

MPI_LOOP = """
#include <mpi.h>
int main(int argc, char** argv) {
  int value = 0, done = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
  while (!done) {
    LOOKS;
  }
  MPI_Finalize();
  return 0;
}
"""
LOOKS = {
    "Iprobe": "MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE)",
    "Test": "MPI_Test(&request, &done, MPI_STATUS_IGNORE)",
    "Test and Wtime": "MPI_Test(&request, &done, MPI_STATUS_IGNORE); MPI_Wtime()",
    "Test among others": "MPI_Wtime(); MPI_Wtime(); MPI_Test(&request, &done, MPI_STATUS_IGNORE); MPI_Wtime()",
}
MACHINES = ["ideal", "ap1000", "t3e-900", "ap3000", "argonne-sp", "i-way"]
NATIVE = {
    "l_aprobe": ("ap1000", "cellos.h", "while (!l_aprobe(L_ANY, L_ANY, 0));"),
    "flag_test": ("ap1000", "cellos.h", "int flag = 0; while (!flag_test(&flag, 1));"),
    "l_aprobe of APlib": ("ap3000", "aplib.h", "while (!l_aprobe(-1, -1, 0));"),
    "nexus_poll": ("i-way", "nexus.h", "while (!nexus_poll());"),
}
LIMITS = ("--warn-idle-polls", 300, "--max-idle-polls", 1500)


def ends_as_livelock(done):
    assert done.returncode == 1, done.stderr
    assert "hindcast: warning: ranks have looked " in done.stderr
    assert "livelock at " in done.stderr
    assert "computes" not in done.stderr


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("looks", LOOKS)
def test_a_loop_of_looks_of_mpis_ends(hindcast, compile_program, looks, machine, mode):
    program = compile_program(MPI_LOOP.replace("LOOKS", LOOKS[looks]))
    ends_as_livelock(hindcast("run", "-m", machine, "-n", 2, *mode, *LIMITS, program, timeout=60))


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("call", NATIVE)
def test_a_loop_of_looks_of_a_machines_library_ends(hindcast, compile_program, call, mode):
    machine, header, loop = NATIVE[call]
    program = compile_program(f"#include <{header}>\nint main(void) {{ {loop} return 0; }}\n")
    ends_as_livelock(hindcast("run", "-m", machine, "-n", 2, *mode, *LIMITS, program, timeout=60))


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
def test_a_rank_that_computes_beside_one_that_looks_is_no_livelock(hindcast, compile_program, mode):
    """It has looked too, once, before it computes in many short stretches."""
    program = compile_program("""
        #include <hindcast.h>
        #include <mpi.h>
        int main(int argc, char** argv) {
          int rank, found = 0;
          MPI_Init(&argc, &argv);
          MPI_Comm_rank(MPI_COMM_WORLD, &rank);
          MPI_Iprobe(1 - rank, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
          if (rank == 1) {
            for (int i = 0; i < 20000; ++i) {
              hindcast_compute_seconds(1e-6);
              MPI_Wtime();
            }
            MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
          }
          while (rank == 0 && !found) MPI_Iprobe(1, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
          if (rank == 0) MPI_Recv(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Finalize();
          return 0;
        }
    """)
    done = hindcast("run", "-n", 2, *mode, *LIMITS, program)
    assert (done.returncode, done.stderr) == (0, "")
