/* Makes communicators in one way until there is an obstacle: an error on all ranks, with nothing half-made. What has
 * been freed can be made again. The argument names the way; rank 0 is the first member of each. A second argument says
 * in how many domains rank 1 receives besides. */
#include <cellos.h>

#include "check.h"

#include <string.h>

enum { most = 1000 };
typedef int constructor(MPI_Comm* made);

static MPI_Comm intercomm = MPI_COMM_NULL;

static int dup(MPI_Comm* made) { return MPI_Comm_dup(MPI_COMM_WORLD, made); }
static int idup(MPI_Comm* made) {
  MPI_Request request;
  const int code = MPI_Comm_idup(MPI_COMM_WORLD, made, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static int split(MPI_Comm* made) { return MPI_Comm_split(MPI_COMM_WORLD, 0, 0, made); }
static MPI_Group world_group(void) {
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  return group;
}
static int create(MPI_Comm* made) {
  MPI_Group group = world_group();
  const int code = MPI_Comm_create(MPI_COMM_WORLD, group, made);
  MPI_Group_free(&group);
  return code;
}
static int create_group(MPI_Comm* made) {
  MPI_Group group = world_group();
  const int code = MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, made);
  MPI_Group_free(&group);
  return code;
}
static int cart(MPI_Comm* made) {
  const int dims[] = {world_size()}, periods[] = {0};
  return MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, made);
}
static int graph(MPI_Comm* made) {
  const int index[] = {1, 2}, edges[] = {1, 0};
  return MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, made);
}
static int dist_graph(MPI_Comm* made) {
  return MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                        0, made);
}
static int intercomm_create(MPI_Comm* made) {
  static MPI_Comm half = MPI_COMM_NULL;
  if (half == MPI_COMM_NULL) {
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() > 0, 0, &half);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
  }
  return MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world_rank() == 0, 5, made);
}
static int intercomm_dup(MPI_Comm* made) {
  if (intercomm == MPI_COMM_NULL) {
    intercomm_create(&intercomm);
    MPI_Comm_set_errhandler(intercomm, MPI_ERRORS_RETURN);
  }
  return MPI_Comm_dup(intercomm, made);
}
static int intercomm_idup(MPI_Comm* made) {
  MPI_Request request;
  if (intercomm == MPI_COMM_NULL) {
    intercomm_create(&intercomm);
    MPI_Comm_set_errhandler(intercomm, MPI_ERRORS_RETURN);
  }
  const int code = MPI_Comm_idup(intercomm, made, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static int merge(MPI_Comm* made) {
  if (intercomm == MPI_COMM_NULL) {
    intercomm_create(&intercomm);
    MPI_Comm_set_errhandler(intercomm, MPI_ERRORS_RETURN);
  }
  return MPI_Intercomm_merge(intercomm, world_rank() > 0, made);
}

static const struct {
  const char* name;
  constructor* make;
} ways[] = {{"dup", dup},
            {"idup", idup},
            {"split", split},
            {"create", create},
            {"create_group", create_group},
            {"cart", cart},
            {"graph", graph},
            {"dist_graph", dist_graph},
            {"intercomm_create", intercomm_create},
            {"intercomm_dup", intercomm_dup},
            {"intercomm_idup", intercomm_idup},
            {"merge", merge}};

/* How many there are now. */
static int make_all(constructor* make, MPI_Comm* made, int count) {
  for (; count < most; ++count) {
    const int code = make(&made[count]);
    if (code == MPI_SUCCESS) continue;
    CHECK_INT(class_of(code), MPI_ERR_OTHER);
    break;
  }
  return count;
}

/* Each is as good as any other. A rank may be of none. */
static void use(MPI_Comm comm) {
  int is_inter, value = world_rank();
  if (comm == MPI_COMM_NULL) return;
  MPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) {
    MPI_Barrier(comm);
  } else {
    MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    CHECK_INT(value, 0);
  }
}

static void free_one(MPI_Comm* comm) {
  if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

int main(int argc, char** argv) {
  static MPI_Comm made[most];
  constructor* make = NULL;
  int counts[2], again, lowest, highest;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
    if (argc > 1 && strcmp(argv[1], ways[i].name) == 0) make = ways[i].make;
  if (make == NULL) return 2;
  for (int i = 0; argc > 2 && world_rank() == 1 && i < atoi(argv[2]); ++i) register_domain(i);
  const int count = make_all(make, made, 0);
  counts[0] = count;
  counts[1] = -count;
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  highest = counts[0];
  lowest = -counts[1];
  CHECK_INT(highest, lowest);
  for (int i = 0; i < count; ++i) use(made[i]);
  for (int i = count > 3 ? count - 3 : 0; i < count; ++i) free_one(&made[i]);
  again = make_all(make, made, count > 3 ? count - 3 : 0);
  CHECK_INT(again, count);
  for (int i = 0; i < again; ++i) use(made[i]);
  for (int i = 0; i < again; ++i) free_one(&made[i]);
  if (world_rank() == 0) printf("made %d\n", count);
  return finish();
}
