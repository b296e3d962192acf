/* ranks: 1 2 5 9 33
 * Every way to make a communicator of one group: the right members in the right order, messages apart from all others',
 * hints and duplicates in progress. */
#include "check.h"

#include <string.h>

enum { most = 33 };

/* The members must be these ranks of the world, in this order; each sends to all others, by two kinds of messages. */
static void expect_members(MPI_Comm comm, int count, const int* ranks) {
  int rank, size, all[most], in[most], out[most];
  MPI_Request requests[2 * most];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK_INT(size, count);
  CHECK_INT(ranks[rank], world_rank());
  const int mine = world_rank();
  for (int i = 0; i < size; ++i) {
    out[i] = element(mine, 3, i);
    MPI_Irecv(&in[i], 1, MPI_INT, i, MPI_ANY_TAG, comm, &requests[i]);
    MPI_Isend(&out[i], 1, MPI_INT, i, 3, comm, &requests[size + i]);
  }
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
  MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < size; ++i) {
    CHECK_INT(all[i], ranks[i]);
    CHECK_INT(in[i], element(ranks[i], 3, rank));
  }
}

static MPI_Group group_of(MPI_Comm comm, int count, const int* ranks) {
  MPI_Group whole, group;
  MPI_Comm_group(comm, &whole);
  MPI_Group_incl(whole, count, ranks, &group);
  MPI_Group_free(&whole);
  return group;
}

static void create(void) {
  const int size = world_size(), rank = world_rank();
  int ranks[most], count = 0;
  MPI_Comm comm, inner;
  for (int i = size - 1; i >= 0; i -= 2) ranks[count++] = i; /* backwards, every other one */
  MPI_Group group = group_of(MPI_COMM_WORLD, count, ranks);
  const int is_in = (size - 1 - rank) % 2 == 0;
  MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
  CHECK(is_in == (comm != MPI_COMM_NULL));
  if (is_in) {
    expect_members(comm, count, ranks);
    MPI_Comm_create(comm, group, &inner); /* the whole of it */
    expect_members(inner, count, ranks);
    MPI_Comm_free(&inner);
    MPI_Comm_create(comm, MPI_GROUP_EMPTY, &inner);
    CHECK(inner == MPI_COMM_NULL);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&group);

  /* Disjoint groups in one call: pairs of neighbours; who is left over gives the empty group. */
  const int pair[] = {rank / 2 * 2, rank / 2 * 2 + 1}, alone = pair[1] == size;
  group = alone ? MPI_GROUP_EMPTY : group_of(MPI_COMM_WORLD, 2, pair);
  MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
  CHECK(alone == (comm == MPI_COMM_NULL));
  if (!alone) {
    expect_members(comm, 2, pair);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&group);
}

static void create_group(void) {
  const int size = world_size(), rank = world_rank();
  int ranks[most], count = 0;
  MPI_Comm first, second, world;
  for (int i = 0; i < size; ++i)
    if (i % 3 != 1) ranks[count++] = i;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  if (rank % 3 != 1) { /* the members only; two at once, told apart by their tags */
    MPI_Group group = group_of(world, count, ranks);
    MPI_Comm_create_group(world, group, 7, &first);
    MPI_Comm_create_group(world, group, 8, &second);
    expect_members(first, count, ranks);
    expect_members(second, count, ranks);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Group_free(&group);
  }
  MPI_Group self = group_of(world, 1, &rank);
  MPI_Comm_create_group(world, self, 0, &first);
  expect_members(first, 1, &rank);
  MPI_Comm_free(&first);
  MPI_Comm_create_group(world, MPI_GROUP_EMPTY, 0, &first);
  CHECK(first == MPI_COMM_NULL);
  MPI_Group_free(&self);
  MPI_Comm_free(&world);
}

static void split_type(void) {
  MPI_Comm node;
  int size, members = 0;
  const int rank = world_rank();
  static char names[64][MPI_MAX_PROCESSOR_NAME];
  static int on_node[64];
  MPI_Get_processor_name(names[rank], &size);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, names, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int other = 0; other < size; ++other)
    if (strcmp(names[other], names[rank]) == 0) on_node[members++] = other;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  expect_members(node, members, on_node);
  MPI_Comm_free(&node);
  MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  CHECK((rank == 0) == (node == MPI_COMM_NULL));
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
}

static void hints(void) {
  MPI_Info info, used;
  MPI_Comm comm, copy;
  char value[16];
  int flag, count = -1;
  MPI_Comm_get_info(MPI_COMM_SELF, &used);
  MPI_Info_get_nkeys(used, &count);
  CHECK_INT(count, 0);
  MPI_Info_free(&used);
  MPI_Info_create(&info);
  MPI_Info_set(info, "color", "blue");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_set(info, "color", "red");
  MPI_Comm_dup(comm, &copy); /* hints go with a duplicate */
  MPI_Info_set(info, "shape", "round");
  MPI_Comm_set_info(comm, info);
  MPI_Info_free(&info);
  MPI_Info_create(&info); /* changes nothing */
  MPI_Comm_set_info(comm, info);
  MPI_Info_set(info, "shape", "flat");
  MPI_Comm_set_info(comm, info);
  MPI_Info_free(&info);
  MPI_Comm_get_info(comm, &used);
  MPI_Info_get(used, "shape", 15, value, &flag);
  CHECK(flag && strcmp(value, "flat") == 0);
  MPI_Info_get(used, "color", 15, value, &flag);
  CHECK(flag && strcmp(value, "red") == 0);
  MPI_Info_free(&used);
  MPI_Comm_get_info(copy, &used);
  MPI_Info_get(used, "color", 15, value, &flag);
  CHECK(flag && strcmp(value, "blue") == 0);
  MPI_Info_free(&used);
  MPI_Comm_free(&comm);
  MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &comm);
  MPI_Comm_get_info(comm, &used);
  MPI_Info_get_nkeys(used, &count);
  CHECK_INT(count, 0);
  MPI_Info_free(&used);
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL);
  MPI_Comm_disconnect(&copy);
}

/* Several duplicates under way at once, with messages and other collectives in between, and of a self communicator. */
static void duplicates_in_progress(void) {
  enum { count = 5 };
  MPI_Comm copies[count], self;
  MPI_Request requests[count], request;
  const int size = world_size(), rank = world_rank();
  int all[most], ranks[most], value = rank, sum;
  for (int i = 0; i < size; ++i) ranks[i] = i;
  for (int i = 0; i < count; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, i, &value, 1, MPI_INT, (rank + size - 1) % size, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(value, (rank + size - 1) % size);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) expect_members(copies[i], size, ranks);
  MPI_Comm_idup(copies[0], &self, &request); /* freed before the duplicate has come about */
  MPI_Comm_free(&copies[0]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_compare(self, copies[1], &sum);
  CHECK_INT(sum, MPI_CONGRUENT);
  expect_members(self, size, ranks);
  MPI_Comm_free(&self);
  for (int i = 1; i < count; ++i) MPI_Comm_free(&copies[i]);
  MPI_Comm_idup(MPI_COMM_SELF, &self, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_members(self, 1, &rank);
  MPI_Comm_free(&self);
}

/* Hints given to a duplicate are its own, and those of the original do not go with it. */
static void duplicate_with_hints(void) {
  MPI_Comm comm, bare;
  MPI_Info info, found;
  MPI_Request requests[2];
  char value[16] = "";
  int flag, keys = -1;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "blue");
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, &requests[0]);
  MPI_Info_free(&info); /* before the duplicate has come about */
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_get_info(comm, &found);
  MPI_Info_get(found, "colour", 15, value, &flag);
  CHECK(flag && value[0] == 'b' && value[3] == 'e');
  MPI_Info_free(&found);
  MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &bare, &requests[0]);
  MPI_Comm_free(&comm);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_get_info(bare, &found);
  MPI_Info_get_nkeys(found, &keys);
  CHECK_INT(keys, 0);
  MPI_Info_free(&found);
  MPI_Barrier(bare);
  MPI_Comm_free(&bare);
}

/* Disconnecting waits for what the communicator has in progress. */
static void disconnect(void) {
  enum { count = 5000 };
  static int in[count], out[count];
  const int size = world_size(), rank = world_rank(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Comm comm;
  MPI_Request requests[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  fill(out, count, rank, 4);
  MPI_Irecv(in, count, MPI_INT, left, 4, comm, &requests[0]);
  MPI_Isend(out, count, MPI_INT, right, 4, comm, &requests[1]);
  MPI_Comm_disconnect(&comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check_elements(in, count, left, 4);
}

static void errors(void) {
  MPI_Comm comm, world = MPI_COMM_WORLD, null = MPI_COMM_NULL;
  MPI_Group group;
  MPI_Info info, stale;
  MPI_Request request;
  MPI_Info_create(&info);
  stale = info;
  MPI_Info_free(&info);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  FAILS(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm), MPI_ERR_GROUP);
  FAILS(MPI_Comm_create(MPI_COMM_NULL, group, &comm), MPI_ERR_COMM);
  if (world_size() > 1) {
    FAILS(MPI_Comm_create(MPI_COMM_SELF, group, &comm), MPI_ERR_GROUP); /* members of no other */
    FAILS(MPI_Comm_create_group(MPI_COMM_SELF, group, 0, &comm), MPI_ERR_GROUP);
  }
  FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, group, -1, &comm), MPI_ERR_TAG);
  FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, 77, 0, MPI_INFO_NULL, &comm), MPI_ERR_ARG);
  FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, stale, &comm), MPI_ERR_INFO);
  FAILS(MPI_Comm_dup_with_info(MPI_COMM_WORLD, stale, &comm), MPI_ERR_INFO);
  FAILS(MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL), MPI_ERR_INFO);
  FAILS(MPI_Comm_get_info(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
  FAILS(MPI_Comm_idup(MPI_COMM_NULL, &comm, &request), MPI_ERR_COMM);
  FAILS(MPI_Comm_idup_with_info(MPI_COMM_WORLD, stale, &comm, &request), MPI_ERR_INFO);
  FAILS(MPI_Comm_disconnect(&world), MPI_ERR_COMM);
  FAILS(MPI_Comm_disconnect(&null), MPI_ERR_COMM);
  MPI_Group_free(&group);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  create();
  create_group();
  split_type();
  hints();
  duplicates_in_progress();
  duplicate_with_hints();
  disconnect();
  errors();
  return finish();
}
