/* What is cancelled where OMP_CANCELLATION allows it: a loop, sections, a region, a group of tasks. */
#include <omp.h>

#include "wrong.h"

enum { threads = 4 };

static void count_slowly(int* count) {
  sleep_us(1);
#pragma omp atomic
  ++*count;
}

static void test_loops(int may) {
  int done = 0, after = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) {
#pragma omp cancellation point for
      count_slowly(&done);
      if (i == 10) {
#pragma omp cancel for
      }
    }
    /* The region goes on, with shares that nobody has cancelled. */
#pragma omp for reduction(+ : after)
    for (int i = 0; i < 8; ++i) after += 1;
  }
  CHECK_IS(after, 8);
  if (may)
    CHECK(done > 10 && done < 20);
  else
    CHECK_IS(done, 100);
}

/* Whose iterations are shared out before it begins. */
static void test_static_loops(int may) {
  int done = 0, after = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 100; ++i) {
#pragma omp cancellation point for
      count_slowly(&done);
      if (i == 10) {
#pragma omp cancel for
      }
    }
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 8; ++i) {
#pragma omp cancellation point for
      count_slowly(&after);
    }
  }
  CHECK_IS(after, 8);
  if (may)
    CHECK(done > 10 && done < 50);
  else
    CHECK_IS(done, 100);
}

static void test_sections(int may) {
  int second = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
      {
        sleep_us(1);
#pragma omp cancel sections
      }
#pragma omp section
      {
        sleep_us(10);
#pragma omp cancellation point sections
        second = 1;
      }
    }
  }
  CHECK_IS(second, !may);
}

static void test_regions(int may) {
  int left_early = threads, wanted = 0;
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == 2) {
      sleep_us(5);
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    --left_early;
  }
  CHECK_IS(left_early, may ? threads : 0);
#pragma omp parallel num_threads(threads)
  {
#pragma omp cancel parallel if (wanted)
#pragma omp atomic
    ++left_early;
  }
  CHECK_IS(left_early, may ? 2 * threads : threads);
  /* The threads are there for the next one. */
  int count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : count)
  count = 1;
  CHECK_IS(count, threads);
}

static void test_groups(int may) {
  int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 50; ++i)
#pragma omp task firstprivate(i) shared(done)
      {
        count_slowly(&done);
        if (i == 3) {
#pragma omp cancel taskgroup
        }
      }
    }
#pragma omp task shared(done)
#pragma omp atomic
    done += 1000;
  }
  CHECK(done >= 1004);
  CHECK(may ? done < 1010 : done == 1050);
}

int main(void) {
  const int may = omp_get_cancellation();
  test_loops(may);
  test_static_loops(may);
  test_sections(may);
  test_regions(may);
  test_groups(may);
  printf("right %d\n", may);
  return 0;
}
