/* ranks: 2 5
 * Accumulates: operations, datatypes, order, and that none is lost. */
#include "check.h"

enum { length = 64 };

static int rank, size, right, left;
static int* memory;
static MPI_Win win;

static void set_memory(int value) {
  for (int i = 0; i < length; ++i) memory[i] = value;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void test_sum_of_all(void) {
  int ones[8];
  set_memory(0);
  for (int i = 0; i < 8; ++i) ones[i] = i + 1;
  MPI_Win_fence(0, win);
  for (int to = 0; to < size; ++to) MPI_Accumulate(ones, 8, MPI_INT, to, 3, 8, MPI_INT, MPI_SUM, win);
  MPI_Accumulate(ones, 8, MPI_INT, MPI_PROC_NULL, 3, 8, MPI_INT, MPI_SUM, win);
  MPI_Accumulate(ones, 0, MPI_INT, right, 3, 0, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 8; ++i) CHECK_INT(memory[3 + i], size * (i + 1));
  CHECK_INT(memory[11], 0);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* target = target op origin, for each operation. */
static void test_operations(void) {
  enum { operations = 11 };
  const MPI_Op ops[operations] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                                  MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_REPLACE};
  const int expected[operations] = {12, 10, 22, 120, 1, 8, 1, 14, 0, 6, 12};
  const int operand = 12;
  set_memory(10);
  MPI_Win_fence(0, win);
  for (int i = 0; i < operations; ++i) MPI_Accumulate(&operand, 1, MPI_INT, right, i, 1, MPI_INT, ops[i], win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < operations; ++i) CHECK_INT(memory[i], expected[i]);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void test_pairs(void) {
  struct pair {
    double value;
    int index;
  } cells[3] = {{1, 10}, {5, 11}, {3, 12}}, mine[3] = {{2, 0}, {4, 1}, {3, 2}}, before[3];
  MPI_Win of_pairs;
  MPI_Win_create(cells, sizeof cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &of_pairs);
  MPI_Win_fence(0, of_pairs);
  MPI_Accumulate(mine, 3, MPI_DOUBLE_INT, right, 0, 3, MPI_DOUBLE_INT, MPI_MAXLOC, of_pairs);
  MPI_Win_fence(0, of_pairs);
  CHECK(cells[0].value == 2 && cells[0].index == 0);
  CHECK(cells[1].value == 5 && cells[1].index == 11);
  CHECK(cells[2].value == 3 && cells[2].index == 2);
  MPI_Win_fence(0, of_pairs);
  MPI_Get_accumulate(mine, 3, MPI_DOUBLE_INT, before, 3, MPI_DOUBLE_INT, right, 0, 3, MPI_DOUBLE_INT, MPI_REPLACE,
                     of_pairs);
  MPI_Win_fence(0, of_pairs);
  CHECK(before[1].value == 5 && before[1].index == 11);
  CHECK(cells[1].value == 4 && cells[1].index == 1);
  MPI_Win_free(&of_pairs);
}

static void test_derived(void) {
  MPI_Datatype every_other, pairs_of_ints, nested;
  MPI_Type_vector(5, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Type_contiguous(2, MPI_INT, &pairs_of_ints);
  MPI_Type_create_hvector(3, 1, 16, pairs_of_ints, &nested);
  MPI_Type_commit(&nested);
  int ones[10], before[6] = {0};
  for (int i = 0; i < 10; ++i) ones[i] = i;
  set_memory(100);
  MPI_Win_fence(0, win);
  MPI_Accumulate(ones, 5, MPI_INT, right, 0, 1, every_other, MPI_SUM, win);
  MPI_Accumulate(ones, 1, every_other, right, 20, 5, MPI_INT, MPI_SUM, win);
  MPI_Get_accumulate(ones, 6, MPI_INT, before, 6, MPI_INT, right, 40, 1, nested, MPI_SUM, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 5; ++i) {
    CHECK_INT(memory[2 * i], 100 + i);
    CHECK_INT(memory[2 * i + 1], 100);
    CHECK_INT(memory[20 + i], 100 + 2 * i);
  }
  for (int i = 0; i < 6; ++i) {
    CHECK_INT(before[i], 100);
    CHECK_INT(memory[40 + i / 2 * 4 + i % 2], 100 + i);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Type_free(&every_other);
  MPI_Type_free(&pairs_of_ints);
  MPI_Type_free(&nested);
}

/* Those of one origin at one place are done in their order. */
static void test_order(void) {
  int results[20];
  set_memory(0);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 20; ++i) {
    const int value = 1000 * rank + i;
    MPI_Get_accumulate(&value, 1, MPI_INT, &results[i], 1, MPI_INT, right, 0, 1, MPI_INT, MPI_REPLACE, win);
  }
  const int last = -7;
  MPI_Accumulate(&last, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  CHECK_INT(results[0], 0);
  for (int i = 1; i < 20; ++i) CHECK_INT(results[i], 1000 * rank + i - 1);
  CHECK_INT(memory[0], -7);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void test_no_op(void) {
  int results[4] = {0};
  for (int i = 0; i < length; ++i) memory[i] = element(rank, 1, i);
  MPI_Win_fence(0, win);
  MPI_Get_accumulate(NULL, -1, MPI_DATATYPE_NULL, results, 4, MPI_INT, right, 6, 4, MPI_INT, MPI_NO_OP, win);
  MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, results, 4, MPI_INT, MPI_PROC_NULL, 6, 4, MPI_INT, MPI_NO_OP, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < 4; ++i) CHECK_INT(results[i], element(right, 1, 6 + i));
}

/* Everybody counts at rank 0: no count is given twice, and none is left out. */
static void test_counter(void) {
  enum { turns = 10 };
  const int one = 1;
  int counts[turns], last = -1;
  set_memory(0);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < turns; ++i) {
    MPI_Fetch_and_op(&one, &counts[i], MPI_INT, 0, 5, MPI_SUM, win);
    MPI_Win_flush(0, win);
    CHECK(counts[i] > last);
    last = counts[i];
  }
  MPI_Fetch_and_op(&one, &last, MPI_INT, MPI_PROC_NULL, 5, MPI_SUM, win);
  int seen = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 5, MPI_NO_OP, win);
  MPI_Win_flush_local(0, win);
  CHECK_INT(seen, turns * size);
  MPI_Request request;
  seen = -1;
  MPI_Rget_accumulate(NULL, 0, MPI_DATATYPE_NULL, &seen, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_NO_OP, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_INT(seen, turns * size);
  MPI_Win_unlock_all(win);
  int mine = 0, all = 0;
  for (int i = 0; i < turns; ++i) mine += counts[i];
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_INT(all, turns * size * (turns * size - 1) / 2);
}

/* A lock made of compare-and-swap. */
static void test_swap(void) {
  const int zero = 0, mine = rank + 1;
  int found = -1;
  set_memory(0);
  MPI_Win_lock_all(0, win);
  for (int turn = 0; turn < 3; ++turn) {
    do {
      MPI_Compare_and_swap(&mine, &zero, &found, MPI_INT, 0, 0, win);
      MPI_Win_flush(0, win);
    } while (found != 0);
    int count;
    MPI_Get(&count, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++count;
    MPI_Put(&count, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(&zero, &mine, &found, MPI_INT, 0, 0, win);
    MPI_Win_flush(0, win);
    CHECK_INT(found, mine);
  }
  MPI_Compare_and_swap(&zero, &mine, &found, MPI_INT, MPI_PROC_NULL, 0, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK_INT(memory[1], 3 * size);
}

/* More than a packet takes. */
static void test_long(void) {
  enum { many = 6000 };
  double *cells, *mine = malloc(many * sizeof(double)), *before = malloc(many * sizeof(double));
  MPI_Win large;
  MPI_Win_allocate(many * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &large);
  for (int i = 0; i < many; ++i) {
    cells[i] = i;
    mine[i] = 0.5;
  }
  MPI_Win_fence(0, large);
  MPI_Get_accumulate(mine, many, MPI_DOUBLE, before, many, MPI_DOUBLE, right, 0, many, MPI_DOUBLE, MPI_SUM, large);
  MPI_Win_fence(0, large);
  for (int i = 0; i < many; ++i) CHECK(before[i] == i && cells[i] == i + 0.5);
  MPI_Win_free(&large);
  free(mine);
  free(before);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  MPI_Win_allocate(length * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  test_sum_of_all();
  test_operations();
  test_pairs();
  test_derived();
  test_order();
  test_no_op();
  test_counter();
  test_swap();
  test_long();
  MPI_Win_free(&win);
  return finish();
}
