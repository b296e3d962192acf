/* ranks: 1 3
 * needs: processes that start others
 * Families of processes: parents and children merged in either order, children started again and again, by one rank, by
 * all and by a part of them at once, programs with arguments of their own, and collectives across both ways. */
#include "check.h"

#include <string.h>

static char* program;
static int rank, size;

static int is_kind(int argc, char** argv, const char* kind) { return argc > 1 && strcmp(argv[1], kind) == 0; }

static MPI_Comm start(const char* kind, const char* more, int count, MPI_Comm parents) {
  char first[16], second[16];
  char* arguments[] = {first, second, NULL};
  MPI_Comm children;
  strcpy(first, kind);
  strcpy(second, more);
  CHECK_INT(MPI_Comm_spawn(program, arguments, count, MPI_INFO_NULL, 0, parents, &children, MPI_ERRCODES_IGNORE),
            MPI_SUCCESS);
  return children;
}

/* A window of ranks that were born apart: each adds its own to all. */
static void reach_into_windows(MPI_Comm all, int own, int size) {
  int *sums, old = -1;
  MPI_Win window;
  MPI_Win_allocate(2 * sizeof *sums, sizeof *sums, MPI_INFO_NULL, all, &sums, &window);
  sums[0] = sums[1] = 0;
  MPI_Win_fence(0, window);
  for (int to = 0; to < size; ++to) MPI_Accumulate(&own, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  CHECK_INT(sums[0], size * (size - 1) / 2);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1 - own, 0, window);
  MPI_Fetch_and_op(&own, &old, MPI_INT, size - 1 - own, 1, MPI_REPLACE, window);
  MPI_Win_unlock(size - 1 - own, window);
  CHECK_INT(old, 0);
  MPI_Barrier(all);
  CHECK_INT(sums[1], size - 1 - own);
  MPI_Win_free(&window);
}

/* Who says `high` stands behind; where both say the same, one of them does. */
static void expect_merged(MPI_Comm between, int is_parent, int parents_high, int children_high) {
  const int high = is_parent ? parents_high : children_high;
  int own, other, before, in_between, merged_rank, merged_size, sum, mine;
  MPI_Comm all;
  MPI_Comm_size(between, &own);
  MPI_Comm_remote_size(between, &other);
  MPI_Comm_rank(between, &in_between);
  MPI_Intercomm_merge(between, high, &all);
  MPI_Comm_rank(all, &merged_rank);
  MPI_Comm_size(all, &merged_size);
  CHECK_INT(merged_size, own + other);
  before = merged_rank - in_between;
  CHECK(before == 0 || before == other);
  if (parents_high != children_high) CHECK_INT(before, high ? other : 0);
  mine = merged_rank;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
  CHECK_INT(sum, merged_size * (merged_size - 1) / 2);
  reach_into_windows(all, merged_rank, merged_size);
  MPI_Comm_free(&all);
}

/* From one parent to all children, from all children to one parent, and from everybody to everybody. */
static void collectives_across(MPI_Comm between, int is_parent) {
  int in_group, own, other, value = -1, sum = -1, all[16];
  MPI_Comm_rank(between, &in_group);
  MPI_Comm_size(between, &own);
  MPI_Comm_remote_size(between, &other);
  if (is_parent) {
    const int root = in_group == 0 ? MPI_ROOT : MPI_PROC_NULL;
    value = 31;
    MPI_Bcast(&value, 1, MPI_INT, root, between);
    MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, root, between);
    if (in_group == 0) CHECK_INT(sum, other * (other - 1) / 2);
  } else {
    MPI_Bcast(&value, 1, MPI_INT, 0, between);
    CHECK_INT(value, 31);
    MPI_Reduce(&in_group, NULL, 1, MPI_INT, MPI_SUM, 0, between);
  }
  value = 100 * is_parent + in_group;
  MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, between);
  for (int i = 0; i < other; ++i) CHECK_INT(all[i], 100 * !is_parent + i);
  MPI_Barrier(between);
}

/* --- children --- */

static int be_child(int argc, char** argv, MPI_Comm parent) {
  rank = world_rank();
  if (is_kind(argc, argv, "merge")) expect_merged(parent, 0, argv[2][0] - '0', argv[2][1] - '0');
  if (is_kind(argc, argv, "across")) collectives_across(parent, 0);
  if (is_kind(argc, argv, "listed")) {
    int *application, flag, told[2];
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &application, &flag);
    CHECK(flag && *application == atoi(argv[2]));
    CHECK_INT(argc, 3 + *application);
    told[0] = *application;
    told[1] = rank;
    MPI_Send(told, 2, MPI_INT, 0, 4, parent);
  }
  if (is_kind(argc, argv, "freed"))
    MPI_Comm_free(&parent);
  else
    MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}

/* --- parents --- */

static void merges(void) {
  const char* highs[] = {"00", "01", "10", "11"};
  for (int i = 0; i < 4; ++i) {
    MPI_Comm children = start("merge", highs[i], 2, MPI_COMM_WORLD);
    expect_merged(children, 1, highs[i][0] - '0', highs[i][1] - '0');
    MPI_Comm_disconnect(&children);
  }
}

static void generations(void) {
  for (int i = 0; i < 8; ++i) {
    MPI_Comm children = start("across", "-", 1 + i % 3, MPI_COMM_WORLD);
    collectives_across(children, 1);
    MPI_Comm_disconnect(&children);
  }
  for (int i = 0; i < 4; ++i) {
    MPI_Comm children = start("freed", "-", 2, MPI_COMM_WORLD);
    MPI_Comm_free(&children);
    CHECK(children == MPI_COMM_NULL);
  }
}

/* Each rank has children of its own at the same time, and each half of the ranks some together. */
static void several_families(void) {
  MPI_Comm half, own = start("across", "-", 2, MPI_COMM_SELF);
  collectives_across(own, 1);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Comm shared = start("across", "-", 2, half);
  collectives_across(shared, 1);
  MPI_Comm_disconnect(&shared);
  MPI_Comm_disconnect(&own);
  MPI_Comm_free(&half);
}

static void different_programs(void) {
  char *none[] = {"listed", "0", NULL}, *one[] = {"listed", "1", "more", NULL},
       *two[] = {"listed", "2", "m", "n", NULL};
  char* programs[] = {program, program, program};
  char** arguments[] = {none, one, two};
  const int counts[] = {2, 1, 2}, numbers[] = {0, 0, 1, 2, 2};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL, MPI_INFO_NULL};
  int codes[5], told[2], remote;
  MPI_Comm children;
  memset(codes, -1, sizeof codes);
  MPI_Comm_spawn_multiple(3, programs, arguments, counts, infos, size - 1, MPI_COMM_WORLD, &children, codes);
  MPI_Comm_remote_size(children, &remote);
  CHECK_INT(remote, 5);
  for (int child = 0; child < 5; ++child) {
    CHECK_INT(codes[child], MPI_SUCCESS);
    if (rank > 0) continue;
    MPI_Recv(told, 2, MPI_INT, child, 4, children, MPI_STATUS_IGNORE);
    CHECK(told[0] == numbers[child] && told[1] == child);
  }
  MPI_Comm_disconnect(&children);
}

int main(int argc, char** argv) {
  MPI_Comm parent;
  program = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return be_child(argc, argv, parent);
  rank = world_rank();
  size = world_size();
  merges();
  generations();
  several_families();
  different_programs();
  return finish();
}
