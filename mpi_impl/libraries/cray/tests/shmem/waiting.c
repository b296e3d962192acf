/* shmem_wait and shmem_wait_until in all types and conditions, for what another PE puts, or changes by an operation. */
#include "check.h"

static int me, n, next;

/* A token goes round, each PE waiting for the one before; PE 0 begins. */
#define ROUND(type_p, target, value, waiting) \
  do {                                        \
    if (me == 0) type_p(target, value, next); \
    waiting;                                  \
    if (me != 0) type_p(target, value, next); \
    shmem_barrier_all();                      \
  } while (0)

#define TEST_TYPE(name, type)                                                                      \
  static volatile type name##_flag;                                                                \
  static void test_##name(void) {                                                                  \
    type* flag = (type*)&name##_flag;                                                              \
    ROUND(shmem_##name##_p, flag, 1, shmem_##name##_wait(&name##_flag, 0));                        \
    CHECK(name##_flag == 1);                                                                       \
    ROUND(shmem_##name##_p, flag, 2, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_EQ, 2));   \
    ROUND(shmem_##name##_p, flag, 3, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_NE, 2));   \
    ROUND(shmem_##name##_p, flag, 7, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_GT, 6));   \
    CHECK(name##_flag == 7);                                                                       \
    ROUND(shmem_##name##_p, flag, 8, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_GE, 8));   \
    ROUND(shmem_##name##_p, flag, -5, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_LT, 0));  \
    ROUND(shmem_##name##_p, flag, -9, shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_LE, -9)); \
    CHECK(name##_flag == -9);                                                                      \
    shmem_##name##_wait_until(&name##_flag, _SHMEM_CMP_LT, 0); /* holds already */                 \
    shmem_##name##_wait(&name##_flag, 0);                                                          \
  }
TEST_TYPE(short, short)
TEST_TYPE(int, int)
TEST_TYPE(long, long)
TEST_TYPE(longlong, long long)

/* Plain ones are of longs; conditions over what comes bit by bit, and by atomic operations. */
static long flag, arrived;
int main(void) {
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  test_short();
  test_int();
  test_long();
  test_longlong();
  ROUND(shmem_long_p, &flag, 4, shmem_wait(&flag, 0));
  ROUND(shmem_long_p, &flag, 5, shmem_wait_until(&flag, _SHMEM_CMP_GE, 5));
  if (me == 0) shmem_wait_until(&arrived, _SHMEM_CMP_EQ, n - 1);
  if (me != 0) shmem_long_inc(&arrived, 0);
  shmem_barrier_all();
  return finish();
}
