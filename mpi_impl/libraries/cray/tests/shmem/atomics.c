/* Atomic operations of all types: alone, and by all PEs on the same number. */
#include "check.h"

static int me, n, next;

/* By this PE alone, on the next one; then by all on PE 0. */
#define TEST_INTEGER(name, type)                                                   \
  static type name##_numbers[3]; /* those beside it must stay as they are */       \
  static type name##_seen[1024];                                                   \
  static void test_##name(void) {                                                  \
    type* number = &name##_numbers[1];                                             \
    name##_numbers[0] = name##_numbers[2] = (type)0x5a5a;                          \
    *number = 5;                                                                   \
    shmem_barrier_all();                                                           \
    CHECK(shmem_##name##_swap(number, (type)-7, next) == 5);                       \
    CHECK(shmem_##name##_cswap(number, 5, 9, next) == (type)-7);                   \
    CHECK(shmem_##name##_cswap(number, (type)-7, 9, next) == (type)-7);            \
    CHECK(shmem_##name##_mswap(number, (type)0x0f0f, (type)0x3333, next) == 9);    \
    CHECK(shmem_##name##_fadd(number, (type)-3, next) == (type)0x0303);            \
    CHECK(shmem_##name##_finc(number, next) == (type)0x0300);                      \
    shmem_##name##_add(number, 100, next);                                         \
    shmem_##name##_inc(number, next);                                              \
    CHECK(shmem_##name##_g(number, next) == (type)0x0366);                         \
    shmem_barrier_all();                                                           \
    CHECK(*number == (type)0x0366);                                                \
    *number = 0;                                                                   \
    shmem_barrier_all();                                                           \
    const type ticket = shmem_##name##_finc(number, 0);                            \
    CHECK(ticket >= 0 && ticket < n);                                              \
    shmem_##name##_inc(&name##_seen[ticket], 0);                                   \
    shmem_##name##_add(number, (type)me, 0);                                       \
    shmem_##name##_fadd(number, (type)-me, 0);                                     \
    shmem_barrier_all();                                                           \
    if (me == 0) CHECK(*number == (type)n);                                        \
    for (int i = 0; me == 0 && i < n; ++i) CHECK(name##_seen[i] == 1);             \
    CHECK(name##_numbers[0] == (type)0x5a5a && name##_numbers[2] == (type)0x5a5a); \
  }
TEST_INTEGER(short, short)
TEST_INTEGER(int, int)
TEST_INTEGER(long, long)
TEST_INTEGER(longlong, long long)

static double a_double = 0.5;
static float a_float = 0.25f;
static long a_long = 3, chain = -1;

/* Each PE swaps its number in, and gets that of the PE before: together they have got all, and one is left. */
static void test_chain(void) {
  static long got[1024];
  const long found = shmem_swap(&chain, me, 0);
  shmem_long_p(&got[me], found + 1, 0);
  shmem_barrier_all();
  if (me != 0) return;
  long left = chain, length = 0;
  for (; left != -1; left = got[left] - 1) ++length;
  CHECK_LONG(length, n);
}

int main(void) {
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  test_short();
  test_int();
  test_long();
  test_longlong();
  CHECK(shmem_double_swap(&a_double, me + 1.5, next) == 0.5);
  CHECK(shmem_float_swap(&a_float, (float)me, next) == 0.25f);
  CHECK(shmem_swap(&a_long, 4, next) == 3);
  CHECK(shmem_double_g(&a_double, next) == me + 1.5 && shmem_float_g(&a_float, next) == (float)me);
  test_chain();
  return finish();
}
