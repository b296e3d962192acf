"""A reduction's operation of the program's own gets all of a vector at a time, unless who runs it chooses otherwise."""

import pytest

# The operation notes how much it is called with, and adds.
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int elements, parts;
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  parts += *count != elements;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, all_parts = 0, wrong = 0;
  MPI_Op op;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Op_create(add, atoi(argv[1]), &op);
  for (elements = 1; elements <= 1 << 18; elements *= 8) {
    int* from = malloc(elements * sizeof *from);
    int* to = calloc(elements, sizeof *to);
    for (int i = 0; i < elements; ++i) from[i] = rank + i;
    MPI_Allreduce(from, to, elements, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < elements; ++i) wrong += to[i] != ranks * (ranks - 1) / 2 + ranks * i;
    MPI_Reduce(from, to, elements, MPI_INT, op, 0, MPI_COMM_WORLD);
    MPI_Scan(from, to, elements, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < elements; ++i) wrong += to[i] != rank * (rank + 1) / 2 + (rank + 1) * i;
    MPI_Exscan(from, to, elements, MPI_INT, op, MPI_COMM_WORLD);
    free(from);
    free(to);
  }
  MPI_Op_free(&op);
  MPI_Reduce(&parts, &all_parts, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong, in parts: %s\\n", wrong, all_parts > 0 ? "yes" : "no");
  return MPI_Finalize();
}
"""


@pytest.mark.parametrize("commutes", ["1", "0"])
@pytest.mark.parametrize("ranks", [4, 13, 48])
@pytest.mark.parametrize("machine", ["ideal", "cluster", "t3e-900", "earth-simulator", "grid"])
def test_the_tables_leave_vectors_whole(run_program, machine, ranks, commutes):
    done = run_program(PROGRAM, ranks, commutes, machine=machine)
    assert (done.returncode, done.stdout) == (0, "0 wrong, in parts: no\n"), done.stderr


@pytest.mark.parametrize("chosen", ["allreduce=ring", "allreduce=rabenseifner", "reduce=pipeline", "scan=pipeline"])
def test_what_is_chosen_by_name_may_cut_them(run_program, chosen):
    done = run_program(PROGRAM, 8, "1", launcher=["--coll", chosen])
    assert (done.returncode, done.stdout) == (0, "0 wrong, in parts: yes\n"), done.stderr
