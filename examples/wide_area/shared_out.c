// A sum whose terms are shared out among machines of different speed. The
// program asks Nexus on which machines it has been started, tries how quick a
// processor of each is, and gives all ranks as many terms, and then each as many
// as it is quick. Sums go inside machines first, so that one message leaves each.
#include <hindcast.h>
#include <mpi.h>
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>

enum { TERMS = 2000000, OPERATIONS_OF_A_TERM = 40, TRIED = 10000 };

static unsigned long add_up(long from, long to) {
  unsigned long sum = 0;
  for (long term = from; term < to; ++term) sum += (unsigned long)term * (unsigned long)term;
  hindcast_compute_flops((double)(to - from) * OPERATIONS_OF_A_TERM);
  return sum;
}

static double terms_a_second(void) {
  const double start = MPI_Wtime();
  add_up(0, TRIED);
  return TRIED / (MPI_Wtime() - start);
}

// The time of a sum if every rank has its share.
static double sum_up(const double* shares, MPI_Comm machine, MPI_Comm leaders) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double before = 0, all = 0;
  for (int i = 0; i < size; ++i) {
    if (i == rank) before = all;
    all += shares[i];
  }
  const long from = (long)(TERMS * before / all);
  const long to = rank == size - 1 ? TERMS : (long)(TERMS * (before + shares[rank]) / all);
  unsigned long of_machine = 0, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const unsigned long own = add_up(from, to);
  MPI_Reduce(&own, &of_machine, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, machine);
  if (leaders != MPI_COMM_NULL) MPI_Reduce(&of_machine, &sum, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, leaders);
  const unsigned long n = TERMS - 1;
  if (rank == 0 && sum != n * (n + 1) / 2 * (2 * n + 1) / 3) MPI_Abort(MPI_COMM_WORLD, 1);
  return MPI_Wtime() - start;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, rank_of_machine;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm machine, leaders;
  MPI_Comm_split(MPI_COMM_WORLD, nexus_machine_of(rank), rank, &machine);
  MPI_Comm_rank(machine, &rank_of_machine);
  MPI_Comm_split(MPI_COMM_WORLD, rank_of_machine == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);

  double* equal = malloc((size_t)size * sizeof *equal);
  double* by_speed = malloc((size_t)size * sizeof *by_speed);
  const double speed = terms_a_second();
  MPI_Allgather(&speed, 1, MPI_DOUBLE, by_speed, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) equal[i] = 1;

  if (rank == 0)
    for (int i = 0, first = 0; i < nexus_machines(); first += nexus_machine_contexts(i++))
      printf("%s: %d of %d processors, %.1f million terms a second each, ways by %s\n", nexus_machine_name(i),
             nexus_machine_contexts(i), nexus_machine_processors(i), by_speed[first] / 1e6,
             nexus_context_methods(first));
  const double alike = sum_up(equal, machine, leaders);
  const double in_proportion = sum_up(by_speed, machine, leaders);
  if (rank == 0) printf("right, shared out alike %.1f ms, by speed %.1f ms\n", alike * 1e3, in_proportion * 1e3);
  free(equal);
  free(by_speed);
  MPI_Finalize();
  return 0;
}
