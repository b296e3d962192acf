// The time of a barrier, on each rank: mean of 10, after one that is not counted.
//   barrier_mpi PROCESSORS [MEMBERS [ROUNDS]]
// By all ranks of the run, as many as PROCESSORS says; or by a communicator made of the first so many of them. With no
// rounds only that is made.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

static double time_of(MPI_Comm group, int rounds) {
  if (rounds == 0) return 0;
  MPI_Barrier(group);
  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) MPI_Barrier(group);
  return (MPI_Wtime() - start) / rounds;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int members = argc > 2 ? atoi(argv[2]) : size, rounds = argc > 3 ? atoi(argv[3]) : ROUNDS;
  const int is_member = rank < members;
  MPI_Comm group = MPI_COMM_WORLD;
  if (argc > 2) MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, 0, &group);
  const double time = is_member ? time_of(group, rounds) * 1e6 : 0;
  double* all = malloc(size * sizeof *all);
  MPI_Gather(&time, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("processors,rank,time_us\n");
  for (int i = 0; rank == 0 && i < members; ++i) printf("%d,%d,%.6f\n", size, i, all[i]);
  free(all);
  MPI_Finalize();
  return 0;
}
