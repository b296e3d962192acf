// The paper's benchmarks of collectives, in MPI: all cells pass the synchronisation net together, the timer starts, the
// first MEMBERS of them call the operation, and each takes its own time: the mean of 10 rounds, as the paper has it of
// 10 to 100, or of ROUNDS.
//   collective_mpi barrier|bcast|scatter|allreduce|send MEMBERS ELEMENTS [ROUNDS]
// The elements are those of a vector: doubles of a broadcast or a message, integers of a sum; or those of the whole
// array of integers that the root scatters. A message goes from the first member to the second. Prints a row for each
// member.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, ROUNDS = 10 };

static int members, elements;
static MPI_Comm group;
static double* doubles;
static int *whole, *part;

static void send(void) {
  int rank;
  MPI_Comm_rank(group, &rank);
  if (rank == ROOT) MPI_Send(doubles, elements, MPI_DOUBLE, 1, 0, group);
  if (rank == 1) MPI_Recv(doubles, elements, MPI_DOUBLE, ROOT, 0, group, MPI_STATUS_IGNORE);
}

static void call(const char* operation) {
  if (strcmp(operation, "barrier") == 0) MPI_Barrier(group);
  if (strcmp(operation, "bcast") == 0) MPI_Bcast(doubles, elements, MPI_DOUBLE, ROOT, group);
  if (strcmp(operation, "scatter") == 0)
    MPI_Scatter(whole, elements / members, MPI_INT, part, elements / members, MPI_INT, ROOT, group);
  if (strcmp(operation, "allreduce") == 0) MPI_Allreduce(whole, part, elements, MPI_INT, MPI_SUM, group);
  if (strcmp(operation, "send") == 0) send();
}

static double time_of(const char* operation, int is_member, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    sync();
    const double start = MPI_Wtime();
    if (is_member) call(operation);
    sum += MPI_Wtime() - start;
  }
  return sum / rounds * 1e6;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cells;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cells);
  const char* operation = argc > 1 ? argv[1] : "";
  members = argc > 2 ? atoi(argv[2]) : cells;
  elements = argc > 3 ? atoi(argv[3]) : 0;
  const int rounds = argc > 4 ? atoi(argv[4]) : ROUNDS;
  if (rounds < 1 || members < 1 || members > cells || (strcmp(operation, "scatter") == 0 && elements % members != 0)) {
    if (rank == ROOT) fprintf(stderr, "collective_mpi: not for %d of %d cells\n", members, cells);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  doubles = calloc(elements + 1, sizeof *doubles);
  whole = calloc(elements + 1, sizeof *whole);
  part = calloc(elements + 1, sizeof *part);
  group = MPI_COMM_WORLD;  // of all cells: making another would be counted among its steps
  if (members < cells) MPI_Comm_split(MPI_COMM_WORLD, rank < members ? 0 : MPI_UNDEFINED, 0, &group);

  const double mine = time_of(operation, rank < members, rounds);
  double* all = malloc(cells * sizeof *all);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
  if (rank == ROOT) printf("members,elements,rank,time_us\n");
  for (int i = 0; rank == ROOT && i < members; ++i) printf("%d,%d,%d,%.6f\n", members, elements, i, all[i]);
  MPI_Finalize();
  return 0;
}
