/* ranks: 2 3 5
 * Windows and accesses of unusual shapes: parts of different sizes and units, none at all, windows that overlap, many
 * windows at once, datatypes with gaps, markers and negative displacements at either end, and accesses of nothing.
 */
#include "check.h"

#include <stddef.h>
#include <string.h>

enum { length = 60 };

static int rank, size, right, left;
static int memory[length];

static void wipe(int* data, int count) {
  for (int i = 0; i < count; ++i) data[i] = -1;
}

static void* nothing(void) { return NULL; }

/* Each rank has another unit, and another size; the one of the target counts. */
static void test_parts_that_differ(void) {
  MPI_Win win;
  const int units[] = {4, 1, 12, 2, 8}, unit = units[rank % 5], targets = units[right % 5];
  const MPI_Aint bytes = (MPI_Aint)sizeof(int) * (24 + 6 * rank);
  wipe(memory, length);
  MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int out[3], in[3] = {0};
  fill(out, 3, rank, 1);
  MPI_Win_fence(0, win);
  MPI_Put(out, 3, MPI_INT, right, 48 / targets, 3, MPI_INT, win);
  MPI_Accumulate(out, 1, MPI_INT, right, 24 / targets, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  check_elements(memory + 12, 3, left, 1);
  CHECK_INT(memory[6], element(left, 1, 0));
  CHECK_INT(memory[11], -1);
  CHECK_INT(memory[15], -1);
  MPI_Get(in, 3, MPI_INT, right, 48 / targets, 3, MPI_INT, win);
  MPI_Win_fence(0, win);
  check_elements(in, 3, rank, 1);
  /* The last byte is inside, the next one is not. */
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  const MPI_Aint all = (MPI_Aint)sizeof(int) * (24 + 6 * right);
  FAILS(MPI_Put(out, 1, MPI_BYTE, right, all / targets, 1, MPI_BYTE, win), MPI_ERR_RMA_RANGE);
  FAILS(MPI_Put(out, targets, MPI_BYTE, right, all / targets - 1, targets, MPI_BYTE, win), MPI_SUCCESS);
  MPI_Win_free(&win);
}

/* Only one rank brings memory; the others give MPI_BOTTOM, or a place and no bytes. */
static void test_parts_that_are_empty(void) {
  MPI_Win win;
  int value = 5 + rank, *base = NULL, flag;
  MPI_Aint* bytes;
  wipe(memory, length);
  MPI_Win_create(rank == 0   ? memory
                 : rank == 1 ? nothing()
                             : memory + 3,
                 rank == 0 ? sizeof memory : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
  CHECK(flag && *bytes == (rank == 0 ? (MPI_Aint)sizeof memory : 0));
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  CHECK(flag && (rank > 0 || base == memory));
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
  MPI_Put(&value, 0, MPI_INT, 1, 0, 0, MPI_INT, win); /* of nothing, where nothing is */
  MPI_Accumulate(&value, 0, MPI_INT, 1, 0, 0, MPI_INT, MPI_SUM, win);
  MPI_Get(&value, 0, MPI_INT, 1, 0, 0, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 0)
    for (int i = 0; i < size; ++i) CHECK_INT(memory[i], 5 + i);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
  MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);
  MPI_Win_allocate(0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_fence(0, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

/* The same memory in two windows, one of which begins within the other; each sees what was done by the other. */
static void test_windows_that_overlap(void) {
  MPI_Win whole, half;
  int value, ten = 10;
  for (int i = 0; i < length; ++i) memory[i] = i;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &whole);
  MPI_Win_create(memory + length / 2, sizeof memory / 2, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &half);
  for (int round = 0; round < 3; ++round) {
    MPI_Win_fence(0, whole);
    MPI_Accumulate(&ten, 1, MPI_INT, right, length / 2 + 2, 1, MPI_INT, MPI_SUM, whole);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, whole);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, half);
    MPI_Get(&value, 1, MPI_INT, right, 2, 1, MPI_INT, half);
    MPI_Accumulate(&ten, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_SUM, half);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, half);
    CHECK_INT(value, length / 2 + 2 + 10 * (round + 1));
    CHECK_INT(memory[length / 2 + 3], length / 2 + 3 + 10 * (round + 1));
  }
  /* Both at once, in different places. */
  MPI_Win_lock_all(0, whole);
  MPI_Win_lock_all(0, half);
  MPI_Put(&ten, 1, MPI_INT, right, 1, 1, MPI_INT, whole);
  MPI_Put(&ten, 1, MPI_INT, right, 1, 1, MPI_INT, half);
  MPI_Win_unlock_all(half);
  MPI_Win_unlock_all(whole);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory[1] == 10 && memory[length / 2 + 1] == 10);
  MPI_Win_free(&half);
  MPI_Win_free(&whole);
}

/* Of the same communicator, of a part of it, of one rank; freed in another order. */
static void test_many_windows(void) {
  enum { many = 12 };
  MPI_Win wins[many], own;
  MPI_Comm half;
  int cells[many], alone = 3, value = 7, in_half, halves;
  wipe(cells, many);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &in_half);
  MPI_Comm_size(half, &halves);
  for (int i = 0; i < many; ++i)
    MPI_Win_create(&cells[i], sizeof(int), 1, MPI_INFO_NULL, i % 2 ? half : MPI_COMM_WORLD, &wins[i]);
  MPI_Win_create(&alone, sizeof alone, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, own);
  MPI_Win_unlock(0, own);
  CHECK_INT(alone, 10);
  for (int i = 0; i < many; ++i) MPI_Win_fence(0, wins[i]);
  for (int i = 0; i < many; ++i) {
    const int mine = 100 * i + rank;
    MPI_Put(&mine, 1, MPI_INT, i % 2 ? (in_half + 1) % halves : right, 0, 1, MPI_INT, wins[i]);
    MPI_Win_fence(0, wins[i]);
  }
  /* The half's ranks are counted from the last. */
  for (int i = 0; i < many; ++i) {
    int from = left;
    if (i % 2) {
      MPI_Group of_half, world;
      const int before = (in_half + halves - 1) % halves;
      MPI_Comm_group(half, &of_half);
      MPI_Comm_group(MPI_COMM_WORLD, &world);
      MPI_Group_translate_ranks(of_half, 1, &before, world, &from);
      MPI_Group_free(&of_half);
      MPI_Group_free(&world);
    }
    CHECK_INT(cells[i], 100 * i + from);
  }
  MPI_Comm_free(&half); /* a window outlives its communicator */
  for (int i = 0; i < many; i += 2) MPI_Win_free(&wins[i]);
  for (int i = 1; i < many; i += 2) MPI_Win_fence(0, wins[i]);
  for (int i = many - 1; i > 0; i -= 2) MPI_Win_free(&wins[i]);
  MPI_Win_free(&own);
}

/* --- datatypes --- */

struct Mixed {
  char letter;
  double number;
  short few[3];
};

static MPI_Datatype mixed_type(void) {
  MPI_Datatype made, resized;
  const int lengths[] = {1, 1, 3};
  const MPI_Aint places[] = {offsetof(struct Mixed, letter), offsetof(struct Mixed, number),
                             offsetof(struct Mixed, few)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
  MPI_Type_create_struct(3, lengths, places, types, &made);
  MPI_Type_create_resized(made, 0, sizeof(struct Mixed), &resized);
  MPI_Type_commit(&resized);
  MPI_Type_free(&made);
  return resized;
}

static int is_mixed(const struct Mixed* one, int number) {
  return one->letter == 'a' + number && one->number == number / 4.0 && one->few[0] == number &&
         one->few[2] == number + 2;
}

static void test_structs(void) {
  struct Mixed out[4], in[4], there[4], before[4];
  MPI_Datatype type = mixed_type(), every_other;
  MPI_Win win;
  MPI_Type_vector(2, 1, 2, type, &every_other);
  MPI_Type_commit(&every_other);
  memset(there, 0, sizeof there);
  memset(in, 0, sizeof in);
  for (int i = 0; i < 4; ++i) {
    const int number = 4 * rank + i;
    out[i].letter = (char)('a' + number);
    out[i].number = number / 4.0;
    for (int j = 0; j < 3; ++j) out[i].few[j] = (short)(number + j);
  }
  MPI_Win_create(there, sizeof there, sizeof there[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(out, 2, type, right, 1, 1, every_other, win); /* together here, apart there */
  MPI_Win_fence(0, win);
  CHECK(is_mixed(&there[1], 4 * left) && is_mixed(&there[3], 4 * left + 1));
  CHECK(there[0].letter == 0 && there[2].letter == 0);
  MPI_Get(in, 1, every_other, right, 1, 1, every_other, win); /* apart at both ends */
  MPI_Win_fence(0, win);
  CHECK(is_mixed(&in[0], 4 * rank) && is_mixed(&in[2], 4 * rank + 1) && in[1].letter == 0);
  /* MPI_REPLACE takes any data, also of several predefined datatypes. */
  MPI_Accumulate(out + 2, 1, type, right, 0, 1, type, MPI_REPLACE, win);
  memset(before, 0, sizeof before);
  MPI_Get_accumulate(out, 2, type, before, 2, type, right, 2, 2, type, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  CHECK(is_mixed(&there[0], 4 * left + 2) && is_mixed(&there[2], 4 * left) && is_mixed(&there[3], 4 * left + 1));
  CHECK(before[0].letter == 0 && is_mixed(&before[1], 4 * rank + 1));
  MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, before, 4, type, right, 0, 4, type, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  CHECK(is_mixed(&before[0], 4 * rank + 2) && is_mixed(&before[2], 4 * rank) && is_mixed(&before[3], 4 * rank + 1));
  MPI_Win_free(&win);
  MPI_Type_free(&type);
  MPI_Type_free(&every_other);
}

/* Blocks backwards, a lower bound below zero, a subarray, blocks of no length: at one end or the other. */
static void test_datatypes(void) {
  enum { kinds = 5, elements = 6 };
  MPI_Datatype types[kinds];
  int out[length], in[length],
      picked[kinds][elements] = {{20, 19, 14, 13, 8, 7},
                                 {20, 18, 16, 14, 12, 10},
                                 {21, 22, 23, 31, 32, 33},
                                 {20, 22, 23, 24, 40, 41},
                                 {20, 21, 30, 31, 40, 41}};
  const int lengths[] = {1, 0, 3, 2}, places[] = {0, 9, 2, 20};
  const int pieces[] = {1, 1, 1, 1, 1, 1}, backwards[] = {0, -1, -6, -7, -12, -13};
  const int whole[] = {4, 10}, part[] = {2, 3}, start[] = {0, 1};
  MPI_Datatype pair, far;
  MPI_Win win;
  MPI_Type_indexed(6, pieces, backwards, MPI_INT, &types[0]);
  MPI_Type_create_hvector(elements, 1, -2 * (MPI_Aint)sizeof(int), MPI_INT, &types[1]);
  MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_INT, &types[2]);
  MPI_Type_indexed(4, lengths, places, MPI_INT, &types[3]);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, -40, 10 * sizeof(int), &far); /* the extent alone, not the data */
  MPI_Type_contiguous(3, far, &types[4]);
  for (int kind = 0; kind < kinds; ++kind) MPI_Type_commit(&types[kind]);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int here = 0; here < kinds; ++here)
    for (int there = 0; there < kinds; ++there) {
      int sums[length], ones[elements] = {1, 1, 1, 1, 1, 1};
      fill(out, length, rank, 1);
      wipe(memory, length);
      wipe(in, length);
      wipe(sums, length);
      MPI_Win_fence(0, win);
      MPI_Put(out + 20, 1, types[here], right, 20, 1, types[there], win);
      MPI_Win_fence(0, win);
      for (int i = 0; i < elements; ++i) CHECK_INT(memory[picked[there][i]], element(left, 1, picked[here][i]));
      int written = 0;
      for (int i = 0; i < length; ++i) written += memory[i] != -1;
      CHECK_INT(written, elements);
      MPI_Get(in + 20, 1, types[there], right, 20, 1, types[there], win);
      MPI_Win_fence(0, win);
      for (int i = 0; i < elements; ++i) CHECK_INT(in[picked[there][i]], element(rank, 1, picked[here][i]));
      MPI_Get_accumulate(ones, elements, MPI_INT, sums + 20, 1, types[here], right, 20, 1, types[there], MPI_SUM, win);
      MPI_Win_fence(0, win);
      for (int i = 0; i < elements; ++i) {
        CHECK_INT(sums[picked[here][i]], element(rank, 1, picked[here][i]));
        CHECK_INT(memory[picked[there][i]], element(left, 1, picked[here][i]) + 1);
      }
    }
  MPI_Win_free(&win);
  for (int kind = 0; kind < kinds; ++kind) MPI_Type_free(&types[kind]);
  MPI_Type_free(&pair);
  MPI_Type_free(&far);
}

/* A datatype may be freed while an operation with it is under way. */
static void test_freed_datatypes(void) {
  MPI_Win win;
  int out[8], in[8];
  fill(out, 8, rank, 2);
  wipe(memory, length);
  wipe(in, 8);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int round = 0; round < 20; ++round) {
    MPI_Datatype type;
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Put(out, 1, type, right, 0, 1, type, win);
    MPI_Get(in, 1, type, right, 20, 1, type, win);
    MPI_Type_free(&type);
  }
  MPI_Win_fence(0, win);
  for (int i = 0; i < 8; ++i) CHECK_INT(memory[i], i % 2 ? -1 : element(left, 2, i));
  MPI_Win_free(&win);
}

/* What comes may be less than there is room for, at the target and in the result. */
static void test_more_room_than_data(void) {
  MPI_Win win;
  MPI_Datatype every_other;
  int out[4], in[8], result[8];
  MPI_Type_vector(6, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  for (int i = 0; i < length; ++i) memory[i] = i;
  for (int i = 0; i < 4; ++i) out[i] = 1000 + i;
  wipe(in, 8);
  wipe(result, 8);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(out, 2, MPI_INT, right, 0, 6, MPI_INT, win);
  MPI_Put(out, 3, MPI_INT, right, 10, 1, every_other, win);
  MPI_Put(out, 0, MPI_INT, right, 22, 1, every_other, win);
  MPI_Accumulate(out, 1, MPI_INT, right, 24, 3, MPI_INT, MPI_SUM, win);
  MPI_Accumulate(out, 2, MPI_INT, right, 30, 1, every_other, MPI_REPLACE, win);
  MPI_Get(in, 1, every_other, right, 44, 3, MPI_INT, win);
  MPI_Get_accumulate(out, 2, MPI_INT, result, 8, MPI_INT, right, 48, 1, every_other, MPI_SUM, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < length; ++i) {
    const int put = i < 2 ? 1000 + i : i >= 10 && i <= 14 && i % 2 == 0 ? 1000 + (i - 10) / 2 : i;
    const int replaced = i == 30 ? 1000 : i == 32 ? 1001 : put;
    CHECK_INT(memory[i], i == 24 ? 1024 : i == 48 ? 1048 : i == 50 ? 1051 : replaced);
  }
  for (int i = 0; i < 8; ++i) {
    CHECK_INT(in[i], i < 6 && i % 2 == 0 ? 44 + i / 2 : -1);
    CHECK_INT(result[i], i < 6 ? 48 + 2 * i : -1);
  }
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  FAILS(MPI_Get(in, 2, MPI_INT, right, 0, 3, MPI_INT, win), MPI_ERR_TYPE);
  FAILS(MPI_Get_accumulate(out, 1, MPI_INT, result, 1, MPI_INT, right, 0, 2, MPI_INT, MPI_SUM, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(out, 1, MPI_INT, right, length - 1, 2, MPI_INT, win), MPI_ERR_RMA_RANGE);
  MPI_Win_free(&win);
  MPI_Type_free(&every_other);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  test_parts_that_differ();
  test_parts_that_are_empty();
  test_windows_that_overlap();
  test_many_windows();
  test_structs();
  test_datatypes();
  test_freed_datatypes();
  test_more_room_than_data();
  return finish();
}
