/* OpenMP's loops: who gets which iteration where that is laid down, and numbers near the end of their kind. */
#include <limits.h>
#include <omp.h>

#include "wrong.h"

enum { threads = 3, iterations = 13 };

/* Blocks of so many by turns; 0: one block each. */
static void check_static(const int* thread_of, int chunk) {
  for (int i = 0; i < iterations; ++i) {
    if (chunk > 0)
      CHECK_IS(thread_of[i], i / chunk % threads);
    else
      CHECK(i == 0 || thread_of[i] == thread_of[i - 1] || thread_of[i] == thread_of[i - 1] + 1);
  }
  if (chunk == 0) CHECK_IS(thread_of[iterations - 1], threads - 1);
}

static void test_static_loops_in_order(void) {
  int thread_of[iterations], next = 0;
#pragma omp parallel for ordered schedule(static, 2) num_threads(threads)
  for (int i = 0; i < iterations; ++i) {
    thread_of[i] = omp_get_thread_num();
    sleep_us(20 - i);
#pragma omp ordered
    {
      CHECK_IS(next, i);
      ++next;
    }
  }
  check_static(thread_of, 2);
  next = 0;
#pragma omp parallel for ordered num_threads(threads) schedule(static)
  for (unsigned long long i = 0; i < iterations; ++i) {
    thread_of[i] = omp_get_thread_num();
#pragma omp ordered
    {
      CHECK_IS(next, i);
      ++next;
    }
  }
  check_static(thread_of, 0);
  next = 0;
  omp_set_schedule(omp_sched_static, 3);
#pragma omp parallel for ordered schedule(runtime) num_threads(threads)
  for (int i = 0; i < iterations; ++i) {
    thread_of[i] = omp_get_thread_num();
#pragma omp ordered
    {
      CHECK_IS(next, i);
      ++next;
    }
  }
  check_static(thread_of, 3);
}

static void test_numbers_near_the_end_of_their_kind(omp_sched_t kind) {
  volatile unsigned long long unknown_to_the_compiler = ULLONG_MAX / 4; /* which else counts by signed numbers */
  const unsigned long long quarter = unknown_to_the_compiler;
  const long eighth = 1L << 61;
  int up = 0, down = 0, wide = 0, by_tasks = 0;
  unsigned long long last = 0;
  omp_set_schedule(kind, 1);
#pragma omp parallel num_threads(threads) reduction(+ : up, down, wide)
  {
#pragma omp for schedule(runtime) lastprivate(last)
    for (unsigned long long i = 0; i < ULLONG_MAX - 3; i += quarter) {
      last = i;
      ++up;
    }
#pragma omp for schedule(runtime)
    for (unsigned long long i = ULLONG_MAX; i > 3; i -= quarter) ++down;
#pragma omp for schedule(runtime)
    for (long i = LONG_MIN; i < LONG_MAX - eighth; i += eighth) ++wide;
  }
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop reduction(+ : by_tasks) grainsize(1)
  for (long i = LONG_MIN; i < LONG_MAX - eighth; i += eighth) ++by_tasks;
  CHECK_IS(up, 4);
  CHECK(last == 3 * quarter);
  CHECK_IS(down, 4);
  CHECK_IS(wide, 7);
  CHECK_IS(by_tasks, 7);
}

int main(void) {
  test_static_loops_in_order();
  test_numbers_near_the_end_of_their_kind(omp_sched_static);
  test_numbers_near_the_end_of_their_kind(omp_sched_dynamic);
  test_numbers_near_the_end_of_their_kind(omp_sched_guided);
  printf("right\n");
}
