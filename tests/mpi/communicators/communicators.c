/* ranks: 7
 * Communicators and groups: messages of one never reach another, splits order by key, memberships translate. */
#include "check.h"

#include <string.h>

/* The same message in three communicators, received in another order. */
static void isolation(void) {
  MPI_Comm a, b;
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[3], in[3] = {-1, -1, -1}, result;
  MPI_Request requests[3];
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(a, &b);
  MPI_Comm_compare(MPI_COMM_WORLD, a, &result);
  CHECK_INT(result, MPI_CONGRUENT);
  MPI_Comm_compare(a, a, &result);
  CHECK_INT(result, MPI_IDENT);
  const MPI_Comm comms[] = {MPI_COMM_WORLD, a, b};
  for (int i = 0; i < 3; ++i) {
    out[i] = element(rank, 1, i);
    MPI_Isend(&out[i], 1, MPI_INT, right, 1, comms[i], &requests[i]);
  }
  for (int i = 2; i >= 0; --i) MPI_Recv(&in[i], 1, MPI_INT, left, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; ++i) CHECK_INT(in[i], element(left, 1, i));
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
}

static void split(void) {
  MPI_Comm part;
  const int rank = world_rank(), size = world_size();
  int part_rank, part_size, result;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
  MPI_Comm_rank(part, &part_rank);
  MPI_Comm_size(part, &part_size);
  const int members = (size - rank % 3 + 2) / 3;
  CHECK_INT(part_size, members);
  CHECK_INT(part_rank, members - 1 - rank / 3); /* the last rank comes first */
  int all[8];
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, part);
  for (int i = 0; i < members; ++i) CHECK_INT(all[i], rank % 3 + 3 * (members - 1 - i));
  MPI_Comm_compare(part, MPI_COMM_WORLD, &result);
  CHECK_INT(result, MPI_UNEQUAL);

  /* Equal keys keep the order; no progression of ranks */
  MPI_Comm odd;
  const int mine = rank == 0 || rank == 1 || rank == 4 || rank == 6;
  MPI_Comm_split(MPI_COMM_WORLD, mine ? 5 : MPI_UNDEFINED, 0, &odd);
  if (mine) {
    MPI_Comm_rank(odd, &part_rank);
    CHECK_INT(part_rank, rank == 0 ? 0 : rank == 1 ? 1 : rank == 4 ? 2 : 3);
    MPI_Status status;
    int value = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (part_rank + 1) % 4, 0, &value, 1, MPI_INT, (part_rank + 3) % 4, 0, odd, &status);
    CHECK_INT(status.MPI_SOURCE, (part_rank + 3) % 4);
    CHECK_INT(value, rank == 0 ? 6 : rank == 1 ? 0 : rank == 4 ? 1 : 4);
    MPI_Comm_free(&odd);
  } else {
    CHECK(odd == MPI_COMM_NULL);
  }

  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_compare(MPI_COMM_WORLD, reversed, &result);
  CHECK_INT(result, MPI_SIMILAR);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&part);
}

static void groups(void) {
  MPI_Group world, some, others, one;
  const int ranks[] = {4, 0, 5}, back[] = {0, 1, 2, MPI_PROC_NULL};
  int result[4], size, rank, inter;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 3, ranks, &some);
  MPI_Group_excl(world, 3, ranks, &others);
  MPI_Group_size(some, &size);
  CHECK_INT(size, 3);
  MPI_Group_size(others, &size);
  CHECK_INT(size, world_size() - 3);
  MPI_Group_rank(some, &rank);
  CHECK_INT(rank, world_rank() == 4 ? 0 : world_rank() == 0 ? 1 : world_rank() == 5 ? 2 : MPI_UNDEFINED);
  MPI_Group_translate_ranks(some, 4, back, world, result);
  for (int i = 0; i < 3; ++i) CHECK_INT(result[i], ranks[i]);
  CHECK_INT(result[3], MPI_PROC_NULL);
  MPI_Group_translate_ranks(some, 1, back, others, result);
  CHECK_INT(result[0], MPI_UNDEFINED);
  MPI_Group_compare(some, others, &result[0]);
  CHECK_INT(result[0], MPI_UNEQUAL);
  MPI_Group_incl(world, 0, NULL, &one);
  CHECK(one == MPI_GROUP_EMPTY);
  MPI_Group_size(MPI_GROUP_EMPTY, &size);
  CHECK_INT(size, 0);
  MPI_Group_free(&world);
  MPI_Group_free(&some);
  MPI_Group_free(&others);
  CHECK(world == MPI_GROUP_NULL);
  MPI_Comm_test_inter(MPI_COMM_WORLD, &inter);
  CHECK_INT(inter, 0);
}

static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm copy;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_name(copy, name, &length);
  CHECK(name[0] == '\0' && length == 0);
  MPI_Comm_set_name(copy, "ocean");
  MPI_Comm_get_name(copy, name, &length);
  CHECK(strcmp(name, "ocean") == 0 && length == 5);
  MPI_Comm_free(&copy);
}

/* Many, one after the other: handles and contexts of freed ones do not leak into new ones. */
static void many(void) {
  MPI_Request stray;
  int value = -1, sent;
  MPI_Comm first;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, first, &stray); /* never matched by others' messages */
  for (int i = 0; i < 300; ++i) {
    MPI_Comm comm;
    int got = -1, cross = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(comm != first);
    MPI_Sendrecv(&cross, 1, MPI_INT, (world_rank() + 1) % world_size(), 3, &got, 1, MPI_INT, MPI_ANY_SOURCE,
                 MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    CHECK_INT(got, i);
    MPI_Comm_free(&comm);
  }
  CHECK_INT(value, -1);
  sent = 99;
  MPI_Send(&sent, 1, MPI_INT, world_rank(), 0, first);
  MPI_Wait(&stray, MPI_STATUS_IGNORE);
  CHECK_INT(value, 99);
  MPI_Comm_free(&first);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  isolation();
  split();
  groups();
  names();
  many();
  return finish();
}
