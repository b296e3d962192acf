/* ranks: 1 2 3 5
 * What a rank need not give is not looked at: what the root alone gives, what MPI_IN_PLACE stands for, what ranks of
 * the root's group give that are not the root. Memory from which several blocks are sent. Blocking, nonblocking and
 * persistent. */
#include "check.h"
#include "three_forms.h"

#include <string.h>

enum { most = 8, gap = 6 };

static const MPI_Datatype none = MPI_DATATYPE_NULL;
static MPI_Comm comm;
static enum form form;
static int n, rank, ones[most], places[most];

static void expect_ranks(const int* data, int first) {
  for (int r = 0; r < n; ++r) CHECK_INT(data[r], first + r);
}

/* The root gives what is received, or sent, for all; the others give nothing of it. */
static void of_the_root(int root) {
  const int is_root = rank == root;
  int mine = 10 + rank, all[most];
  int* const place = is_root ? all : NULL;
  const MPI_Datatype type = is_root ? MPI_INT : none;
  CALL(form, comm, MPI_Gather, MPI_Igather, &mine, 1, MPI_INT, place, is_root ? 1 : -7, type, root);
  if (is_root) expect_ranks(all, 10);
  memset(all, 0, sizeof all);
  CALL(form, comm, MPI_Gatherv, MPI_Igatherv, &mine, 1, MPI_INT, place, is_root ? ones : NULL, is_root ? places : NULL,
       type, root);
  if (is_root) expect_ranks(all, 10);
  mine = -1;
  CALL(form, comm, MPI_Scatter, MPI_Iscatter, place, is_root ? 1 : -9, type, &mine, 1, MPI_INT, root);
  CHECK_INT(mine, 10 + rank);
  mine = -1;
  CALL(form, comm, MPI_Scatterv, MPI_Iscatterv, place, is_root ? ones : NULL, is_root ? places : NULL, type, &mine, 1,
       MPI_INT, root);
  CHECK_INT(mine, 10 + rank);
  CALL(form, comm, MPI_Reduce, MPI_Ireduce, &mine, place, 1, MPI_INT, MPI_MAX, root);
  if (is_root) CHECK_INT(all[0], 10 + n - 1);
}

/* The root's own block is where it belongs, and what it gives of it is not looked at. */
static void in_place_at_the_root(int root) {
  const int is_root = rank == root;
  int mine = 20 + rank, all[most];
  void* const own = is_root ? MPI_IN_PLACE : (void*)&mine;
  int* const place = is_root ? all : NULL;
  const int count = is_root ? -3 : 1;
  const MPI_Datatype type = is_root ? MPI_INT : none, of_own = is_root ? none : MPI_INT;
  all[rank] = 20 + rank;
  CALL(form, comm, MPI_Gather, MPI_Igather, own, count, of_own, place, is_root ? 1 : -7, type, root);
  if (is_root) expect_ranks(all, 20);
  CALL(form, comm, MPI_Gatherv, MPI_Igatherv, own, count, of_own, place, is_root ? ones : NULL, is_root ? places : NULL,
       type, root);
  if (is_root) expect_ranks(all, 20);
  mine = -1;
  CALL(form, comm, MPI_Scatter, MPI_Iscatter, place, is_root ? 1 : -7, type, own, count, of_own, root);
  CHECK_INT(mine, is_root ? -1 : 20 + rank);
  mine = -1;
  CALL(form, comm, MPI_Scatterv, MPI_Iscatterv, place, is_root ? ones : NULL, is_root ? places : NULL, type, own, count,
       of_own, root);
  CHECK_INT(mine, is_root ? -1 : 20 + rank);
}

/* Nothing is looked at of what is sent. Blocks in all-to-alls have several lengths, and gaps between them. */
static void in_place_everywhere(void) {
  int all[most * gap], counts[most], begins[most], bytes[most];
  MPI_Datatype types[most];
  for (int r = 0; r < n; ++r) all[r] = r == rank ? 30 + r : -1;
  CALL(form, comm, MPI_Allgather, MPI_Iallgather, MPI_IN_PLACE, -1, none, all, 1, MPI_INT);
  expect_ranks(all, 30);
  for (int r = 0; r < n; ++r) all[r] = r == rank ? 30 + r : -1;
  CALL(form, comm, MPI_Allgatherv, MPI_Iallgatherv, MPI_IN_PLACE, -1, none, all, ones, places, MPI_INT);
  expect_ranks(all, 30);
  for (int r = 0; r < n; ++r) {
    counts[r] = (rank + r) % 4;
    begins[r] = (n - 1 - r) * gap;
    bytes[r] = begins[r] * (int)sizeof(int);
    types[r] = (rank + r) % 2 ? MPI_INT : MPI_FLOAT;
  }
  for (int way = 0; way < 3; ++way) {
    memset(all, 0xff, sizeof all);
    for (int r = 0; r < n; ++r) fill(all + begins[r], way == 0 ? 1 : counts[r], rank, r);
    if (way == 0) {
      for (int r = 0; r < n; ++r) all[r] = 100 * rank + r;
      CALL(form, comm, MPI_Alltoall, MPI_Ialltoall, MPI_IN_PLACE, -1, none, all, 1, MPI_INT);
      /* twice is as if nothing had been done */
      for (int r = 0; r < n; ++r) CHECK_INT(all[r], form == persistent ? 100 * rank + r : 100 * r + rank);
      continue;
    }
    if (way == 1)
      CALL(form, comm, MPI_Alltoallv, MPI_Ialltoallv, MPI_IN_PLACE, NULL, NULL, none, all, counts, begins, MPI_INT);
    if (way == 2)
      CALL(form, comm, MPI_Alltoallw, MPI_Ialltoallw, MPI_IN_PLACE, NULL, NULL, NULL, all, counts, bytes, types);
    for (int r = 0; r < n; ++r) {
      check_elements(all + begins[r], counts[r], form == persistent ? rank : r, form == persistent ? r : rank);
      CHECK_INT(all[begins[r] + counts[r]], -1);
    }
  }
}

/* The first rank gets nothing from an exclusive scan, whatever it gives for a place. */
static void without_a_result(void) {
  int mine = rank + 1;
  void* const places[] = {NULL, &mine, MPI_IN_PLACE};
  for (int i = 0; i < 3; ++i) {
    int sum = -1;
    CALL(form, comm, MPI_Exscan, MPI_Iexscan, &mine, rank == 0 ? places[i] : &sum, 1, MPI_INT, MPI_SUM);
    CHECK_INT(sum, rank == 0 ? -1 : rank * (rank + 1) / 2);
    CHECK_INT(mine, rank + 1);
  }
}

/* What is only read may lie in one place. */
static void from_one_place(int root) {
  const int mine = 40 + rank, zeros[most] = {0};
  int got = -1, all[most];
  CALL(form, comm, MPI_Scatterv, MPI_Iscatterv, &mine, ones, zeros, MPI_INT, &got, 1, MPI_INT, root);
  CHECK_INT(got, 40 + root);
  CALL(form, comm, MPI_Alltoallv, MPI_Ialltoallv, &mine, ones, zeros, MPI_INT, all, ones, places, MPI_INT);
  expect_ranks(all, 40);
}

/* Rank 0, and all others. The root is the last one of these; then data go to them alone. */
static void across(void) {
  MPI_Comm half;
  const int second = rank > 0, root = n - 2, is_root = rank == n - 1, as = is_root ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, second, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, second ? 0 : 1, 1, &comm);
  MPI_Comm_free(&half);
  const int leaf = !second, part = is_root || leaf;
  int mine = rank, all[most] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const MPI_Datatype type = part ? MPI_INT : none, of_root = is_root ? MPI_INT : none, of_leaf = leaf ? MPI_INT : none;
  int *const at_root = is_root ? all : NULL, *const at_leaf = leaf ? &mine : NULL, whom = leaf ? root : as;
  CALL(form, comm, MPI_Bcast, MPI_Ibcast, part ? &mine : NULL, part ? 1 : -1, type, whom);
  if (leaf) CHECK_INT(mine, n - 1);
  CALL(form, comm, MPI_Gather, MPI_Igather, at_leaf, leaf ? 1 : -1, of_leaf, at_root, is_root ? 1 : -1, of_root, whom);
  CALL(form, comm, MPI_Gatherv, MPI_Igatherv, at_leaf, leaf ? 1 : -1, of_leaf, at_root, is_root ? ones : NULL,
       is_root ? places : NULL, of_root, whom);
  if (is_root) CHECK_INT(all[0], n - 1);
  all[0] = 50;
  CALL(form, comm, MPI_Scatter, MPI_Iscatter, at_root, is_root ? 1 : -1, of_root, at_leaf, leaf ? 1 : -1, of_leaf,
       whom);
  if (leaf) CHECK_INT(mine, 50);
  CALL(form, comm, MPI_Reduce, MPI_Ireduce, at_leaf, at_root, part ? 1 : -1, type, part ? MPI_SUM : MPI_OP_NULL, whom);
  all[0] = -1;
  CALL(form, comm, MPI_Allgather, MPI_Iallgather, at_leaf, leaf, MPI_INT, second ? all : NULL, second, MPI_INT);
  CHECK_INT(all[0], second ? 50 : -1);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  for (int r = 0; r < n; ++r) ones[r] = 1, places[r] = r;
  for (form = blocking; form <= persistent; ++form) {
    comm = MPI_COMM_WORLD;
    for (int root = 0; root < n; ++root) {
      of_the_root(root);
      in_place_at_the_root(root);
      from_one_place(root);
    }
    in_place_everywhere();
    without_a_result();
    if (n > 1) across();
  }
  return finish();
}
