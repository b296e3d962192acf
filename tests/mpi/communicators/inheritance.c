/* ranks: 1 2 5
 * What a communicator that is made of another has of it: the error handler always; attributes and the topology if it is
 * a duplicate, of whatever sort, as they were when the call was made. And what only a leader says of a peer. */
#include "check.h"

#include <string.h>

static int copies, deletions, rank, size;

static int copy(MPI_Comm comm, int key, void* state, void* value, void* place, int* flag) {
  (void)comm, (void)key, (void)state;
  ++copies;
  *(void**)place = value;
  *flag = 1;
  return MPI_SUCCESS;
}
static int removed(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  ++deletions;
  return MPI_SUCCESS;
}

static void expect_value(MPI_Comm comm, int key, const void* value) {
  void* found = NULL;
  int flag = -1;
  MPI_Comm_get_attr(comm, key, &found, &flag);
  CHECK_INT(flag, value != NULL);
  CHECK(!flag || found == value);
}

/* Every way to make one, in turn. */
enum { dup, with_info, idup, idup_with_info, duplicates, split = duplicates, split_type, create, create_group, ways };

static MPI_Comm make(int way, MPI_Comm of) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group group;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_group(of, &group);
  if (way == dup) MPI_Comm_dup(of, &made);
  if (way == with_info) MPI_Comm_dup_with_info(of, MPI_INFO_NULL, &made);
  if (way == idup) MPI_Comm_idup(of, &made, &request);
  if (way == idup_with_info) MPI_Comm_idup_with_info(of, MPI_INFO_NULL, &made, &request);
  if (way == split) MPI_Comm_split(of, 0, 0, &made);
  if (way == split_type) MPI_Comm_split_type(of, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  if (way == create) MPI_Comm_create(of, group, &made);
  if (way == create_group) MPI_Comm_create_group(of, group, 3, &made);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Group_free(&group);
  return made;
}

static void ignore(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

static void expect_handler(MPI_Comm comm, MPI_Errhandler handler) {
  MPI_Errhandler found;
  MPI_Comm_get_errhandler(comm, &found);
  CHECK(found == handler);
  MPI_Errhandler_free(&found);
}

static void handlers(MPI_Comm comm) {
  const int periodic[1] = {1}, remains[1] = {1}, next = (rank + 1) % size, before = (rank + size - 1) % size;
  int index[8], edges[8];
  MPI_Errhandler handler;
  MPI_Comm made, part;
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (int way = 0; way < ways; ++way) {
    made = make(way, comm);
    expect_handler(made, handler);
    MPI_Comm_free(&made);
  }
  MPI_Cart_create(comm, 1, &size, periodic, 0, &made);
  MPI_Cart_sub(made, remains, &part);
  expect_handler(made, handler);
  expect_handler(part, handler);
  MPI_Comm_free(&made);
  MPI_Comm_free(&part);
  for (int i = 0; i < size; ++i) index[i] = i + 1, edges[i] = i;
  MPI_Graph_create(comm, size, index, edges, 0, &made);
  expect_handler(made, handler);
  MPI_Comm_free(&made);
  MPI_Dist_graph_create_adjacent(comm, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  expect_handler(made, handler);
  MPI_Comm_free(&made);
  MPI_Errhandler_free(&handler);
}

/* Which of the ways takes an attribute and a topology along. */
static void attributes_and_topologies(MPI_Comm comm, int kind) {
  int key, value, found = -1;
  MPI_Comm_create_keyval(copy, removed, &key, NULL);
  MPI_Comm_set_attr(comm, key, &value);
  copies = deletions = 0;
  for (int way = 0; way < ways; ++way) {
    MPI_Comm made = make(way, comm);
    const int is_duplicate = way < duplicates;
    expect_value(made, key, is_duplicate ? &value : NULL);
    MPI_Topo_test(made, &found);
    CHECK_INT(found, is_duplicate ? kind : MPI_UNDEFINED);
    CHECK_INT(copies, is_duplicate ? way + 1 : duplicates);
    if (way % 2 == 0)
      MPI_Comm_free(&made);
    else
      MPI_Comm_disconnect(&made); /* deletes them too */
    CHECK_INT(deletions, is_duplicate ? way + 1 : duplicates);
  }
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_free_keyval(&key);
}

static void topologies(void) {
  const int periodic[1] = {0}, next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Comm made;
  attributes_and_topologies(MPI_COMM_WORLD, MPI_UNDEFINED);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periodic, 0, &made);
  attributes_and_topologies(made, MPI_CART);
  MPI_Comm_free(&made);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &made);
  attributes_and_topologies(made, MPI_DIST_GRAPH);
  MPI_Comm_free(&made);
}

/* A nonblocking duplicate has what there was when it was begun. */
static void as_it_was(void) {
  int key, values[2];
  MPI_Comm comm, made;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(copy, removed, &key, NULL);
  MPI_Comm_set_attr(comm, key, &values[0]);
  MPI_Comm_idup(comm, &made, &request);
  MPI_Comm_set_attr(comm, key, &values[1]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_value(made, key, &values[0]);
  expect_value(comm, key, &values[1]);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&made);
  MPI_Comm_free_keyval(&key);
}

/* Only leaders know the peer communicator and the other leader. */
static MPI_Comm both_halves(MPI_Comm half) {
  MPI_Comm inter;
  int rank_in_half;
  MPI_Comm_rank(half, &rank_in_half);
  if (rank_in_half == 0)
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
  else
    MPI_Intercomm_create(half, 0, MPI_COMM_NULL, -77, 5, &inter);
  return inter;
}

static void two_groups(void) {
  MPI_Comm half, inter, made;
  MPI_Errhandler handler;
  int key, value, remote = -1;
  if (size == 1) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Comm_set_errhandler(half, handler);
  inter = both_halves(half);
  MPI_Comm_remote_size(inter, &remote);
  CHECK_INT(remote, rank % 2 == 1 ? (size + 1) / 2 : size / 2);
  expect_handler(inter, handler); /* the local group's communicator's */
  MPI_Comm_create_keyval(copy, removed, &key, NULL);
  MPI_Comm_set_attr(inter, key, &value);
  MPI_Comm_dup(inter, &made);
  expect_value(made, key, &value);
  MPI_Comm_free(&made);
  MPI_Intercomm_merge(inter, rank % 2, &made);
  expect_value(made, key, NULL);
  expect_handler(made, handler);
  MPI_Comm_free(&made);
  MPI_Comm_split(inter, 0, 0, &made);
  expect_value(made, key, NULL);
  MPI_Comm_free(&made);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Comm_free_keyval(&key);
  MPI_Errhandler_free(&handler);
}

/* The tag of MPI_Comm_create_group is none of the messages'. */
static void same_tag(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int received = -1;
  MPI_Comm made;
  MPI_Request request;
  MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  made = make(create_group, MPI_COMM_WORLD);
  CHECK_INT(received, -1);
  MPI_Barrier(made);
  MPI_Send(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_INT(received, before);
  MPI_Comm_free(&made);
}

static void expect_name(MPI_Comm comm, const char* expected, int length) {
  char name[MPI_MAX_OBJECT_NAME];
  int found = -1;
  memset(name, '?', sizeof name);
  MPI_Comm_get_name(comm, name, &found);
  CHECK_INT(found, length);
  CHECK_INT(strlen(name), length);
  CHECK(strncmp(name, expected, (size_t)length) == 0);
}

/* Names are cut to what fits, begin as they are given, and can be changed and taken back, also those of predefined
 * ones. */
static void names(void) {
  char name[2 * MPI_MAX_OBJECT_NAME];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  MPI_Comm_set_name(comm, name);
  expect_name(comm, name, MPI_MAX_OBJECT_NAME - 1);
  MPI_Comm_set_name(comm, "  two before");
  memset(name, '?', sizeof name);
  expect_name(comm, "  two before", 12);
  MPI_Comm_free(&comm);
  expect_name(MPI_COMM_SELF, "MPI_COMM_SELF", 13);
  MPI_Comm_set_name(MPI_COMM_SELF, "alone");
  expect_name(MPI_COMM_SELF, "alone", 5);
  MPI_Comm_set_name(MPI_COMM_SELF, "");
  expect_name(MPI_COMM_SELF, "", 0);
}

/* A group is there when its communicator has gone. */
static void groups(void) {
  MPI_Comm comm;
  MPI_Group group, world;
  int result = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Comm_free(&comm);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &result);
  CHECK_INT(result, MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  handlers(comm);
  MPI_Comm_free(&comm);
  topologies();
  as_it_was();
  two_groups();
  same_tag();
  names();
  groups();
  return finish();
}
