"""Places of processes that have ended, on Nexus: others have them, while connections to the old ones last."""

import pytest

# Each round two children talk to their parent and to each other, by messages of both protocols. Their parent sends one
# of them more than it receives, and asks for that back when the next ones have its place.
GENERATIONS = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  enum { rounds = 6, children = 2, length = 3000 };
  static int values[length];
  MPI_Init(&argc, &argv);
  MPI_Comm parent, families[rounds];
  MPI_Request late;
  MPI_Status status;
  int rank, cancelled, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Bcast(values, length, MPI_INT, 0, parent);
    MPI_Sendrecv_replace(values, length, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(values, length, MPI_INT, 0, 0, parent);
    MPI_Comm_free(&parent);
    MPI_Finalize();
    return 0;
  }
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, children, MPI_INFO_NULL, 0, MPI_COMM_SELF, &families[round],
                   MPI_ERRCODES_IGNORE);
    if (round > 0) {
      MPI_Isend(&rank, 1, MPI_INT, 0, 1, families[round - 1], &late);
      MPI_Cancel(&late);
      MPI_Wait(&late, &status);
      MPI_Test_cancelled(&status, &cancelled);
    }
    for (int i = 0; i < length; ++i) values[i] = round + i;
    MPI_Bcast(values, length, MPI_INT, MPI_ROOT, families[round]);
    for (int child = 0; child < children; ++child) {
      MPI_Recv(values, length, MPI_INT, child, 0, families[round], MPI_STATUS_IGNORE);
      sum += values[length - 1] - (length - 1);
    }
    const double start = MPI_Wtime();
    while (MPI_Wtime() < start + 1) {}
  }
  printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
"""
# Two children are started while the other rank computes, and have ended long before it has done so.
CONTEXTS = r"""
#include <hindcast.h>
#include <mpi.h>
#include <nexus.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Comm parent, children;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
  } else if (rank == 0) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&children);
  } else {
    nexus_global_pointer_t last;
    hindcast_compute_seconds(10);
    nexus_context_pointer(&last, 3);
    hindcast_compute_seconds(1);
    printf("%d contexts, %d on the machine\n", nexus_contexts(), nexus_machine_contexts(0));
  }
  MPI_Finalize();
  return 0;
}
"""
SETTINGS = {
    "i-way": ["-m", "i-way"],
    "argonne-sp": ["-m", "argonne-sp", "--set", "mpi.channel=nexus"],
    "threaded": ["-m", "argonne-sp", "--set", "mpi.channel=nexus", "--set", "nexus.version=threaded"],
    "partitions": ["-m", "argonne-sp", "--set", "mpi.channel=nexus", "--set", "mpl.partition_nodes=2"],
}


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
def test_others_have_the_places_of_those_who_have_gone(options, compile_program, hindcast):
    program = compile_program(GENERATIONS)
    ahead = hindcast("run", *options, "--universe", 3, "-n", 1, program)
    assert (ahead.returncode, ahead.stdout, ahead.stderr) == (0, "30\n", "")
    lockstep = hindcast("run", *options, "--universe", 3, "-n", 1, "--lockstep", program)
    assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, "30\n", "")


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("launcher", [[], ["--lockstep"]], ids=["ahead", "lockstep"])
def test_contexts_of_processes_started_in_mid_run_are_known_from_then_on(options, launcher, compile_program, hindcast):
    done = hindcast("run", *options, *launcher, "-n", 2, compile_program(CONTEXTS))
    assert (done.returncode, done.stdout, done.stderr) == (0, "4 contexts, 4 on the machine\n", "")
