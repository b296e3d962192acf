/* ranks: 2 3 5 8 33
 * Intercommunicators: made from halves of the world, sent and received over, merged, duplicated, split and used by the
 * collectives. The group of odd ranks has them in reverse order. */
#include "check.h"

#include <string.h>

enum { most = 33, length = 3 };

static int mine_is_odd, rank, size, remote_size; /* in the group of my kind, and the size of the other */

/* The rank in the world of a rank of a group. */
static int world_of(int is_odd, int r) {
  const int odd = world_size() / 2;
  return is_odd ? 2 * (odd - 1 - r) + 1 : 2 * r;
}

static MPI_Comm make(void) {
  MPI_Comm half, inter;
  mine_is_odd = world_rank() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, mine_is_odd, mine_is_odd ? -world_rank() : 0, &half);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &size);
  remote_size = world_size() - size;
  const int leader = mine_is_odd ? size - 1 : 0; /* ranks 0 and 1 of the world, not both rank 0 of their groups */
  MPI_Intercomm_create(half, leader, MPI_COMM_WORLD, 1 - mine_is_odd, 12, &inter);
  MPI_Comm_free(&half);
  return inter;
}

static void expect_groups(MPI_Comm inter) {
  MPI_Group world, local, remote;
  int flag = -1, value = -1, all[most], found[most];
  for (int i = 0; i < most; ++i) all[i] = i;
  MPI_Comm_test_inter(inter, &flag);
  CHECK_INT(flag, 1);
  MPI_Comm_rank(inter, &value);
  CHECK_INT(value, rank);
  MPI_Comm_size(inter, &value);
  CHECK_INT(value, size);
  MPI_Comm_remote_size(inter, &value);
  CHECK_INT(value, remote_size);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(inter, &local);
  MPI_Comm_remote_group(inter, &remote);
  MPI_Group_translate_ranks(local, size, all, world, found);
  for (int i = 0; i < size; ++i) CHECK_INT(found[i], world_of(mine_is_odd, i));
  MPI_Group_translate_ranks(remote, remote_size, all, world, found);
  for (int i = 0; i < remote_size; ++i) CHECK_INT(found[i], world_of(!mine_is_odd, i));
  MPI_Group_free(&world);
  MPI_Group_free(&local);
  MPI_Group_free(&remote);
}

/* Everybody sends to everybody in the other group; sources are ranks there. */
static void messages(MPI_Comm inter) {
  int out[most][length], in[length];
  MPI_Request requests[most];
  MPI_Status status;
  for (int to = 0; to < remote_size; ++to) {
    fill(out[to], length, world_rank(), 100 + to);
    MPI_Isend(out[to], length, MPI_INT, to, 100 + to, inter, &requests[to]);
  }
  for (int from = 0; from < remote_size; ++from) {
    if (from % 2 == 0) {
      MPI_Probe(from, MPI_ANY_TAG, inter, &status);
      check_status(&status, from, 100 + rank, length);
    }
    MPI_Recv(in, length, MPI_INT, from, 100 + rank, inter, &status);
    check_status(&status, from, 100 + rank, length);
    check_elements(in, length, world_of(!mine_is_odd, from), 100 + rank);
  }
  MPI_Waitall(remote_size, requests, MPI_STATUSES_IGNORE);
  const int partner = rank < remote_size ? rank : MPI_PROC_NULL;
  in[0] = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, partner, 5, in, 1, MPI_INT, partner, 5, inter, &status);
  CHECK_INT(in[0], partner == MPI_PROC_NULL ? -1 : partner);
}

static void check_rooted(MPI_Comm inter, int odd_has_root, int root) {
  int data[most * length], mine[length];
  const int at_root = mine_is_odd == odd_has_root && rank == root;
  const int as = mine_is_odd != odd_has_root ? root : at_root ? MPI_ROOT : MPI_PROC_NULL;
  const int root_in_world = world_of(odd_has_root, root);
  MPI_Barrier(inter);
  if (at_root) fill(data, length, root_in_world, 20);
  if (as == MPI_PROC_NULL)
    MPI_Bcast(NULL, 0, MPI_DATATYPE_NULL, as, inter);
  else
    MPI_Bcast(data, length, MPI_INT, as, inter);
  if (as != MPI_PROC_NULL) check_elements(data, length, root_in_world, 20);

  fill(mine, length, world_rank(), 21);
  if (as == MPI_PROC_NULL)
    MPI_Gather(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, as, inter);
  else if (at_root)
    MPI_Gather(NULL, 0, MPI_DATATYPE_NULL, data, length, MPI_INT, as, inter);
  else
    MPI_Gather(mine, length, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, as, inter);
  for (int i = 0; at_root && i < remote_size; ++i)
    check_elements(data + i * length, length, world_of(!mine_is_odd, i), 21);

  for (int i = 0; at_root && i < remote_size; ++i) fill(data + i * length, length, i, 22);
  if (as == MPI_PROC_NULL)
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, as, inter);
  else if (at_root)
    MPI_Scatter(data, length, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, as, inter);
  else
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, mine, length, MPI_INT, as, inter);
  if (mine_is_odd != odd_has_root) check_elements(mine, length, rank, 22);

  /* Each rank adds a power of two of its own (ranks wrap around in the larger worlds). */
  int bit = 1 << rank % 30, sum = -1;
  if (as == MPI_PROC_NULL)
    MPI_Reduce(NULL, NULL, 0, MPI_DATATYPE_NULL, MPI_OP_NULL, as, inter);
  else
    MPI_Reduce(&bit, &sum, 1, MPI_INT, MPI_SUM, as, inter);
  int expected = 0;
  for (int i = 0; i < remote_size; ++i) expected += 1 << i % 30;
  if (at_root) CHECK_INT(sum, expected);
}

static void collectives(MPI_Comm inter) {
  int all[most * length], mine[length], out[most * length], in[most * length], counts[most], places[most],
      send_counts[most];
  for (int odd = 0; odd < 2; ++odd)
    for (int root = 0; root < (odd ? world_size() / 2 : (world_size() + 1) / 2); root += 3)
      check_rooted(inter, odd, root);
  fill(mine, length, world_rank(), 30);
  MPI_Allgather(mine, length, MPI_INT, all, length, MPI_INT, inter);
  for (int i = 0; i < remote_size; ++i) check_elements(all + i * length, length, world_of(!mine_is_odd, i), 30);

  /* Rank i of a group gives, and is given, i % 3 elements. */
  for (int i = 0, place = 0; i < remote_size; place += counts[i++]) counts[i] = i % 3, places[i] = place;
  fill(mine, rank % 3, world_rank(), 31);
  MPI_Allgatherv(mine, rank % 3, MPI_INT, all, counts, places, MPI_INT, inter);
  for (int i = 0; i < remote_size; ++i) check_elements(all + places[i], counts[i], world_of(!mine_is_odd, i), 31);

  for (int i = 0; i < remote_size; ++i) fill(out + i * length, length, world_rank(), 40 + i);
  MPI_Alltoall(out, length, MPI_INT, in, length, MPI_INT, inter);
  for (int i = 0; i < remote_size; ++i) check_elements(in + i * length, length, world_of(!mine_is_odd, i), 40 + rank);
  for (int i = 0; i < remote_size; ++i) send_counts[i] = rank % 3, places[i] = i * length;
  MPI_Alltoallv(out, send_counts, places, MPI_INT, in, counts, places, MPI_INT, inter);
  for (int i = 0; i < remote_size; ++i) check_elements(in + places[i], i % 3, world_of(!mine_is_odd, i), 40 + rank);

  int sum = -1, expected = 0;
  const int given = world_rank() + 1;
  MPI_Allreduce(&given, &sum, 1, MPI_INT, MPI_SUM, inter); /* the other group's */
  for (int i = 0; i < remote_size; ++i) expected += world_of(!mine_is_odd, i) + 1;
  CHECK_INT(sum, expected);
  MPI_Barrier(inter);
}

static void merges(MPI_Comm inter) {
  for (int high = 0; high < 3; ++high) { /* even ranks first, odd ranks first, any order */
    MPI_Comm merged;
    int all[most], flag, mine = world_rank();
    MPI_Intercomm_merge(inter, high == 2 ? 0 : high == mine_is_odd ? 0 : 1, &merged);
    MPI_Comm_test_inter(merged, &flag);
    CHECK(!flag);
    MPI_Comm_size(merged, &flag);
    CHECK_INT(flag, world_size());
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, merged);
    const int first_is_odd = high == 2 ? all[0] % 2 : high;
    const int first_size = first_is_odd == mine_is_odd ? size : remote_size;
    for (int i = 0; i < world_size(); ++i)
      CHECK_INT(all[i], i < first_size ? world_of(first_is_odd, i) : world_of(!first_is_odd, i - first_size));
    MPI_Comm_free(&merged);
  }
}

static void duplicates(MPI_Comm inter) {
  MPI_Comm copy, later;
  MPI_Request request;
  int result, in[2] = {-1, -1};
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  CHECK_INT(result, MPI_CONGRUENT);
  MPI_Comm_compare(inter, inter, &result);
  CHECK_INT(result, MPI_IDENT);
  MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
  CHECK_INT(result, MPI_UNEQUAL);
  MPI_Comm_idup(copy, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_groups(copy);
  expect_groups(later);
  /* The same message in two of them, received in the other order. */
  const int partner = rank < remote_size ? rank : MPI_PROC_NULL,
            out[2] = {element(world_rank(), 1, 0), element(world_rank(), 1, 1)};
  MPI_Request sends[2];
  MPI_Isend(&out[0], 1, MPI_INT, partner, 1, copy, &sends[0]);
  MPI_Isend(&out[1], 1, MPI_INT, partner, 1, later, &sends[1]);
  MPI_Recv(&in[1], 1, MPI_INT, partner, 1, later, MPI_STATUS_IGNORE);
  MPI_Recv(&in[0], 1, MPI_INT, partner, 1, copy, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2 && partner != MPI_PROC_NULL; ++i)
    CHECK_INT(in[i], element(world_of(!mine_is_odd, partner), 1, i));
  collectives(later);
  MPI_Comm_free(&copy);
  MPI_Comm_disconnect(&later);
}

/* Ranks that are equal modulo 3 in both groups, in reverse; then one colour that only even ranks have. */
static void splits(MPI_Comm inter) {
  MPI_Comm part;
  int value, ranks[most], mine = world_rank();
  MPI_Comm_split(inter, rank % 3, -rank, &part);
  const int color = rank % 3, there = (remote_size - color + 2) / 3;
  if (there == 0) {
    CHECK(part == MPI_COMM_NULL);
  } else {
    MPI_Comm_remote_size(part, &value);
    CHECK_INT(value, there);
    MPI_Allgather(&mine, 1, MPI_INT, ranks, 1, MPI_INT, part);
    for (int i = 0; i < there; ++i) CHECK_INT(ranks[i], world_of(!mine_is_odd, color + 3 * (there - 1 - i)));
    MPI_Comm_free(&part);
  }
  MPI_Comm_split(inter, mine_is_odd ? MPI_UNDEFINED : 1, 0, &part);
  CHECK(part == MPI_COMM_NULL);
}

static void creates(MPI_Comm inter) {
  MPI_Comm part;
  MPI_Group local, some;
  int value = -1, ranks[] = {size - 1};
  MPI_Comm_group(inter, &local);
  MPI_Group_incl(local, 1, ranks, &some);
  MPI_Comm_create(inter, some, &part); /* the last of each */
  CHECK((part != MPI_COMM_NULL) == (rank == size - 1));
  if (part != MPI_COMM_NULL) {
    const int mine = world_rank();
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, 6, &value, 1, MPI_INT, 0, 6, part, MPI_STATUS_IGNORE);
    CHECK_INT(value, world_of(!mine_is_odd, remote_size - 1));
    MPI_Comm_free(&part);
  }
  MPI_Comm_create(inter, mine_is_odd ? MPI_GROUP_EMPTY : local, &part);
  CHECK(part == MPI_COMM_NULL);
  MPI_Group_free(&local);
  MPI_Group_free(&some);
}

static void errors(MPI_Comm inter) {
  MPI_Comm comm;
  MPI_Group group;
  int value = 0;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  FAILS(MPI_Comm_remote_size(MPI_COMM_WORLD, &value), MPI_ERR_COMM);
  FAILS(MPI_Comm_remote_group(MPI_COMM_WORLD, &group), MPI_ERR_COMM);
  FAILS(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm), MPI_ERR_COMM);
  FAILS(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_COMM);
  FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 3, MPI_COMM_WORLD, 0, 0, &comm), MPI_ERR_RANK);
  FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, world_size(), 0, &comm), MPI_ERR_RANK);
  FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 0, &comm), MPI_ERR_COMM);
  FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, -2, &comm), MPI_ERR_TAG);
  FAILS(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_SELF, 0, 3, &comm), MPI_ERR_COMM); /* with itself */
  FAILS(MPI_Comm_create_group(inter, MPI_GROUP_EMPTY, 0, &comm), MPI_ERR_COMM);
  FAILS(MPI_Send(&value, 1, MPI_INT, remote_size, 0, inter), MPI_ERR_RANK);
  FAILS(MPI_Bcast(&value, 1, MPI_INT, remote_size, inter), MPI_ERR_ROOT);
  FAILS(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, &value, 1, MPI_INT, inter), MPI_ERR_BUFFER);
}

/* Joined again and again, by other tags. */
static void single_ranks(void) {
  for (int i = 0; i < 20; ++i) {
    int value = -1;
    MPI_Comm pair;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - world_rank(), i, &pair);
    MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, 0, 0, pair, MPI_STATUS_IGNORE);
    CHECK_INT(value, i);
    MPI_Comm_free(&pair);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm inter = make();
  MPI_Comm_set_name(inter, "halves");
  expect_groups(inter);
  messages(inter);
  collectives(inter);
  merges(inter);
  duplicates(inter);
  splits(inter);
  creates(inter);
  errors(inter);
  messages(inter);
  MPI_Comm_free(&inter);
  CHECK(inter == MPI_COMM_NULL);
  if (world_rank() < 2) single_ranks();
  return finish();
}
