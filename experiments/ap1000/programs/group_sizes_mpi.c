// The longest time of all members in a collective operation of 8 bytes (of a barrier, of nothing), in one communicator
// after the other: of the first LEAST cells, and so on to MOST.
//   group_sizes_mpi OPERATION LEAST MOST [COLUMN=VALUE]
// All cells pass the synchronisation net together each time. Prints a row for each communicator; the column that is
// given comes first.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, CELLS_MAX = 1024 };

static double from[CELLS_MAX], to[CELLS_MAX];
static int ones[CELLS_MAX], places[CELLS_MAX];  // of v-forms: one element a block, in the order of the ranks

static void barrier(MPI_Comm group) { MPI_Barrier(group); }
static void bcast(MPI_Comm group) { MPI_Bcast(from, 1, MPI_DOUBLE, ROOT, group); }
static void scatter(MPI_Comm group) { MPI_Scatter(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, ROOT, group); }
static void allgather(MPI_Comm group) { MPI_Allgather(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, group); }
static void alltoall(MPI_Comm group) { MPI_Alltoall(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, group); }
static void reduce(MPI_Comm group) { MPI_Reduce(from, to, 1, MPI_DOUBLE, MPI_SUM, ROOT, group); }
static void allreduce(MPI_Comm group) { MPI_Allreduce(from, to, 1, MPI_DOUBLE, MPI_SUM, group); }

static void gather(MPI_Comm group) { MPI_Gather(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, ROOT, group); }
static void scatterv(MPI_Comm group) { MPI_Scatterv(from, ones, places, MPI_DOUBLE, to, 1, MPI_DOUBLE, ROOT, group); }
static void allgatherv(MPI_Comm group) { MPI_Allgatherv(from, 1, MPI_DOUBLE, to, ones, places, MPI_DOUBLE, group); }
static void alltoallv(MPI_Comm group) {
  MPI_Alltoallv(from, ones, places, MPI_DOUBLE, to, ones, places, MPI_DOUBLE, group);
}

typedef void (*Call)(MPI_Comm group);

static Call call_of(const char* name) {
  static const struct {
    const char* name;
    Call call;
  } calls[] = {{"barrier", barrier},   {"bcast", bcast},           {"scatter", scatter},     {"allgather", allgather},
               {"alltoall", alltoall}, {"reduce", reduce},         {"allreduce", allreduce}, {"gather", gather},
               {"scatterv", scatterv}, {"allgatherv", allgatherv}, {"alltoallv", alltoallv}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (strcmp(calls[i].name, name) == 0) return calls[i].call;
  fprintf(stderr, "group_sizes_mpi: no operation '%s'\n", name);
  exit(2);
}

static double longest_time(Call call, int members, int rank) {
  MPI_Comm group;
  MPI_Comm_split(MPI_COMM_WORLD, rank < members ? 0 : MPI_UNDEFINED, 0, &group);
  sync();
  const double start = MPI_Wtime();
  if (rank < members) call(group);
  const double mine = (MPI_Wtime() - start) * 1e6;
  double longest = 0;
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, ROOT, MPI_COMM_WORLD);
  if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
  return longest;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < CELLS_MAX; ++i) ones[i] = 1, places[i] = i;
  const Call call = call_of(argc > 1 ? argv[1] : "barrier");
  const int least = argc > 2 ? atoi(argv[2]) : 2, most = argc > 3 ? atoi(argv[3]) : least;
  const char *given = argc > 4 ? argv[4] : "", *equals = strchr(given, '=');
  if (rank == ROOT) printf("%.*s%smembers,time_us\n", equals ? (int)(equals - given) : 0, given, equals ? "," : "");
  for (int members = least; members <= most; ++members) {
    const double longest = longest_time(call, members, rank);
    if (rank == ROOT) printf("%s%s%d,%.6f\n", equals ? equals + 1 : "", equals ? "," : "", members, longest);
  }
  MPI_Finalize();
  return 0;
}
