// Every way to make a communicator of all cells, by a number: rank 0 is the first member.
#include <mpi.h>
#include <stdlib.h>

enum { CONSTRUCTORS = 11 };

static MPI_Comm halves = MPI_COMM_NULL, between = MPI_COMM_NULL;

// What the last three are made from.
static void prepare(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &halves);
  MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, rank == 0, 0, &between);
}

static int make_graph(int size, MPI_Comm* made) {
  int* index = malloc(size * sizeof *index);
  for (int i = 0; i < size; ++i) index[i] = 0;
  const int code = MPI_Graph_create(MPI_COMM_WORLD, size, index, index, 0, made);
  free(index);
  return code;
}

// An error code of MPI's.
static int make(int constructor, MPI_Comm* made) {
  int rank, size, code;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int periodic = 0;
  MPI_Group all;
  MPI_Request request;
  switch (constructor) {
    case 0:
      return MPI_Comm_dup(MPI_COMM_WORLD, made);
    case 1:
      code = MPI_Comm_idup(MPI_COMM_WORLD, made, &request);
      return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
    case 2:
      return MPI_Comm_split(MPI_COMM_WORLD, 0, 0, made);
    case 3:
    case 4:
      MPI_Comm_group(MPI_COMM_WORLD, &all);
      code = constructor == 3 ? MPI_Comm_create(MPI_COMM_WORLD, all, made)
                              : MPI_Comm_create_group(MPI_COMM_WORLD, all, 0, made);
      MPI_Group_free(&all);
      return code;
    case 5:
      return MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, made);
    case 6:
      return make_graph(size, made);
    case 7:
      return MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, made);
    case 8:
      return MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, rank == 0, 0, made);
    case 9:
      return MPI_Comm_dup(between, made);
    default:
      return MPI_Intercomm_merge(between, rank > 0, made);
  }
}
