/* ranks: 2 3
 * Every operation that is defined for a predefined datatype, by every call that accumulates, in every kind of epoch:
 * what is found there afterwards, and what the calls that fetch have found before. MPI_Reduce_local says what is right.
 */
#include "check.h"

#include <stddef.h>
#include <string.h>

enum { cells = 9, largest = 32, ops = 12, ways = 4 };
enum Class { whole, shared_whole, real, compound, logical, bits, pair, real_pair, two_reals };

struct Kind {
  MPI_Datatype type;
  enum Class class;
  int bytes; /* of a number, the first of several */
  int index; /* of a pair: where the second number stands */
};

struct short_int {
  short value;
  int index;
};
struct long_int {
  long value;
  int index;
};
struct double_int {
  double value;
  int index;
};
struct long_double_int {
  long double value;
  int index;
};

static int rank, size, right, left;
static char memory[cells * largest], operand[cells * largest], lefts[cells * largest], expected[cells * largest];
static char found[cells * largest], before[cells * largest];
static MPI_Win win;

static void put_whole(char* at, int bytes, int value) {
  const signed char one = (signed char)value;
  const short two = (short)value;
  const long long eight = value;
  memcpy(at, bytes == 1 ? (const void*)&one : bytes == 2 ? (const void*)&two : (const void*)&eight, bytes);
  if (bytes == 4) memcpy(at, &value, 4);
}

static void put_real(char* at, int bytes, int value) {
  const float four = (float)value / 2;
  const double eight = value / 2.0;
  const long double sixteen = value / 2.0L;
  memcpy(at, bytes == 4 ? (const void*)&four : bytes == 8 ? (const void*)&eight : (const void*)&sixteen, bytes);
}

static void put(const struct Kind* kind, char* at, int value) {
  switch (kind->class) {
    case logical:
      put_whole(at, kind->bytes, value & 1);
      break;
    case real:
      put_real(at, kind->bytes, value);
      break;
    case compound:
      put_real(at, kind->bytes, value);
      put_real(at + kind->bytes, kind->bytes, 1 - value);
      break;
    case pair:
      put_whole(at, kind->bytes, value);
      put_whole(at + kind->index, 4, value % 3);
      break;
    case real_pair:
      put_real(at, kind->bytes, value);
      put_whole(at + kind->index, 4, value % 3);
      break;
    case two_reals:
      put_real(at, kind->bytes, value);
      put_real(at + kind->index, kind->bytes, value % 3);
      break;
    default:
      put_whole(at, kind->bytes, value);
  }
}

static void fill_with(const struct Kind* kind, char* data, int extent, int seed) {
  memset(data, 0, cells * largest);
  for (int i = 0; i < cells; ++i) put(kind, data + i * extent, 1 + (seed * 7 + i * 5) % 6);
}

static int takes(enum Class class, int op) {
  const int arithmetic = op < 4, of_truth = op == 4 || op == 5 || op == 6, of_bits = op >= 7 && op < 10;
  switch (class) {
    case whole:
      return 1;
    case shared_whole:
      return !of_truth;
    case real:
      return arithmetic;
    case compound:
      return op == 2 || op == 3;
    case logical:
      return of_truth;
    case bits:
      return of_bits;
    default:
      return 0;
  }
}

static void begin(int way, MPI_Group everybody) {
  if (way == 0) MPI_Win_fence(0, win);
  if (way == 1) MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
  if (way == 2) MPI_Win_lock_all(0, win);
  if (way == 3) {
    MPI_Win_post(everybody, 0, win);
    MPI_Win_start(everybody, 0, win);
  }
}

static void end(int way) {
  if (way == 0) MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (way == 1) MPI_Win_unlock(right, win);
  if (way == 2) MPI_Win_unlock_all(win);
  if (way == 3) {
    MPI_Win_complete(win);
    MPI_Win_wait(win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void accumulate_all(MPI_Datatype type, MPI_Op op, int extent, int passive) {
  const int only_fetches = op == MPI_NO_OP;
  char* const from = only_fetches ? NULL : operand;
  const int count = only_fetches ? 0 : 2;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (!only_fetches) MPI_Accumulate(operand, 2, type, right, 0, 2, type, op, win);
  MPI_Get_accumulate(from != NULL ? from + 2 * extent : NULL, count, type, found + 2 * extent, 2, type, right, 2, 2,
                     type, op, win);
  MPI_Fetch_and_op(from != NULL ? from + 4 * extent : NULL, found + 4 * extent, type, right, 4, op, win);
  if (!passive) { /* requests are only for epochs of locks */
    if (!only_fetches) MPI_Accumulate(operand + 5 * extent, 2, type, right, 5, 2, type, op, win);
    MPI_Get_accumulate(operand + 7 * extent, 2, type, found + 7 * extent, 2, type, right, 7, 2, type, op, win);
    return;
  }
  if (!only_fetches) MPI_Raccumulate(operand + 5 * extent, 2, type, right, 5, 2, type, op, win, &requests[0]);
  MPI_Rget_accumulate(operand + 7 * extent, 2, type, found + 7 * extent, 2, type, right, 7, 2, type, op, win,
                      &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* A long double has 10 bytes that mean something. */
static int same(const char* a, const char* b, const struct Kind* kind, int extent) {
  const int value = kind->bytes == 16 ? 10 : kind->bytes, is_pair = kind->class >= pair;
  const int second = is_pair ? kind->index : kind->class == compound ? kind->bytes : 0;
  const int second_value = kind->class == pair || kind->class == real_pair ? 4 : value;
  for (int i = 0; i < cells; ++i) {
    if (memcmp(a + i * extent, b + i * extent, value) != 0) return 0;
    if (memcmp(a + i * extent + second, b + i * extent + second, second_value) != 0) return 0;
  }
  return 1;
}

static void try_it(const struct Kind* kind, MPI_Op op, int way, MPI_Group everybody) {
  MPI_Aint lb, extent;
  MPI_Type_get_extent(kind->type, &lb, &extent);
  CHECK(extent <= largest);
  MPI_Win_create(memory, cells * extent, (int)extent, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  fill_with(kind, memory, extent, 3 * rank);
  fill_with(kind, expected, extent, 3 * rank);
  fill_with(kind, operand, extent, 3 * rank + 1);
  fill_with(kind, lefts, extent, 3 * left + 1);
  fill_with(kind, before, extent, 3 * right);
  memcpy(found, before, sizeof found);
  memset(found + 2 * extent, 0, 3 * extent);
  memset(found + 7 * extent, 0, 2 * extent);
  if (op == MPI_REPLACE)
    memcpy(expected, lefts, sizeof expected);
  else if (op != MPI_NO_OP)
    MPI_Reduce_local(lefts, expected, cells, kind->type, op);
  MPI_Barrier(MPI_COMM_WORLD);
  begin(way, everybody);
  accumulate_all(kind->type, op, extent, way == 1 || way == 2);
  end(way);
  CHECK(same(memory, expected, kind, extent));
  CHECK(same(found, before, kind, extent));
  MPI_Win_free(&win);
}

static const MPI_Op all_ops[ops] = {MPI_MAX,  MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,    MPI_LOR,
                                    MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_REPLACE, MPI_NO_OP};

static void test_operations(const struct Kind* kinds, int count) {
  MPI_Group everybody;
  int way = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  for (int i = 0; i < count; ++i) {
    for (int op = 0; op < ops; ++op)
      if (op >= 10 || takes(kinds[i].class, op)) try_it(&kinds[i], all_ops[op], way++ % ways, everybody);
    if (kinds[i].class < pair) continue;
    try_it(&kinds[i], MPI_MAXLOC, way++ % ways, everybody);
    try_it(&kinds[i], MPI_MINLOC, way++ % ways, everybody);
  }
  MPI_Group_free(&everybody);
}

/* Of each datatype that can be compared: a swap that finds what it looks for, and one that does not. */
static void test_swaps(const struct Kind* kinds, int count) {
  for (int i = 0; i < count; ++i) {
    const struct Kind* kind = &kinds[i];
    char one[16], other[16], got[2][16];
    if (kind->class != whole && kind->class != shared_whole && kind->class != logical && kind->class != bits) continue;
    put(kind, one, 1);
    put(kind, other, 2);
    memset(got, 7, sizeof got);
    MPI_Win_create(memory, 2 * kind->bytes, kind->bytes, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    put(kind, memory, 1);
    put(kind, memory + kind->bytes, 1);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(other, one, got[0], kind->type, right, 0, win);
    MPI_Compare_and_swap(one, other, got[1], kind->type, right, 1, win);
    MPI_Compare_and_swap(one, other, got[1], kind->type, MPI_PROC_NULL, 1, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(memcmp(memory, other, kind->bytes) == 0);
    CHECK(memcmp(memory + kind->bytes, one, kind->bytes) == 0);
    CHECK(memcmp(got[0], one, kind->bytes) == 0 && memcmp(got[1], one, kind->bytes) == 0);
    CHECK(got[0][kind->bytes < 16 ? kind->bytes : 15] == 7);
    MPI_Win_free(&win);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  const struct Kind kinds[] = {
      {MPI_SIGNED_CHAR, whole, 1, 0},
      {MPI_UNSIGNED_CHAR, whole, 1, 0},
      {MPI_SHORT, whole, 2, 0},
      {MPI_UNSIGNED_SHORT, whole, 2, 0},
      {MPI_INT, whole, 4, 0},
      {MPI_UNSIGNED, whole, 4, 0},
      {MPI_LONG, whole, 8, 0},
      {MPI_UNSIGNED_LONG, whole, 8, 0},
      {MPI_LONG_LONG, whole, 8, 0},
      {MPI_LONG_LONG_INT, whole, 8, 0},
      {MPI_UNSIGNED_LONG_LONG, whole, 8, 0},
      {MPI_INT8_T, whole, 1, 0},
      {MPI_INT16_T, whole, 2, 0},
      {MPI_INT32_T, whole, 4, 0},
      {MPI_INT64_T, whole, 8, 0},
      {MPI_UINT8_T, whole, 1, 0},
      {MPI_UINT16_T, whole, 2, 0},
      {MPI_UINT32_T, whole, 4, 0},
      {MPI_UINT64_T, whole, 8, 0},
      {MPI_INTEGER, shared_whole, 4, 0},
      {MPI_AINT, shared_whole, 8, 0},
      {MPI_OFFSET, shared_whole, 8, 0},
      {MPI_COUNT, shared_whole, 8, 0},
      {MPI_FLOAT, real, 4, 0},
      {MPI_DOUBLE, real, 8, 0},
      {MPI_LONG_DOUBLE, real, 16, 0},
      {MPI_REAL, real, 4, 0},
      {MPI_DOUBLE_PRECISION, real, 8, 0},
      {MPI_C_FLOAT_COMPLEX, compound, 4, 0},
      {MPI_C_DOUBLE_COMPLEX, compound, 8, 0},
      {MPI_C_LONG_DOUBLE_COMPLEX, compound, 16, 0},
      {MPI_COMPLEX, compound, 4, 0},
      {MPI_DOUBLE_COMPLEX, compound, 8, 0},
      {MPI_C_BOOL, logical, 1, 0},
      {MPI_LOGICAL, logical, 4, 0},
      {MPI_BYTE, bits, 1, 0},
      {MPI_2INT, pair, 4, 4},
      {MPI_SHORT_INT, pair, 2, offsetof(struct short_int, index)},
      {MPI_LONG_INT, pair, 8, offsetof(struct long_int, index)},
      {MPI_FLOAT_INT, real_pair, 4, 4},
      {MPI_DOUBLE_INT, real_pair, 8, offsetof(struct double_int, index)},
      {MPI_LONG_DOUBLE_INT, real_pair, 16, offsetof(struct long_double_int, index)},
      {MPI_2INTEGER, pair, 4, 4},
      {MPI_2REAL, two_reals, 4, 4},
      {MPI_2DOUBLE_PRECISION, two_reals, 8, 8},
  };
  const int count = sizeof kinds / sizeof kinds[0];
  test_operations(kinds, count);
  test_swaps(kinds, count);
  return finish();
}
