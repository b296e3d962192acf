// Makes so many communicators as make its processes receive in so many domains, if it can; then frees them all and does
// so again.   domains_mpi DOMAINS
// Prints how many it could make, on how many cells the last call gave an error, and how many it could make again.
#include <stdio.h>

#include "constructors.h"

enum { PREDEFINED = 2, MOST = 10000 };
static MPI_Comm made[MOST];

// How many are there; `errors`: whether the next one could not be made.
static int make_up_to(int count, int* errors) {
  for (int i = 0; i < count; ++i)
    if ((*errors = make(0, &made[i]) != MPI_SUCCESS)) return i;
  return count;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, errors = 0, all_errors;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int domains = argc > 1 ? atoi(argv[1]) : 0;
  const int wanted = (domains + 1) / 2 - PREDEFINED;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int count = make_up_to(wanted, &errors);
  MPI_Reduce(&errors, &all_errors, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&made[i]);
  const int again = make_up_to(wanted, &errors);
  if (rank == 0)
    printf("domains,communicators,registered,errors,again\n%d,%d,%d,%d,%d\n", domains, count, 2 * (count + PREDEFINED),
           all_errors, again);
  MPI_Finalize();
  return 0;
}
