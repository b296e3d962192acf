/* Loops whose iterations wait for each other, and shares with more to them: conditional last values, scans. */
#include <omp.h>

#include "wrong.h"

enum { threads = 4, rows = 12, columns = 9 };

static long grid[rows][columns];

static void fill(long expected[rows][columns]) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      expected[i][j] = 1 + (i > 0 ? expected[i - 1][j] : 0) + (j > 0 ? expected[i][j - 1] : 0);
}

static void check(void) {
  long expected[rows][columns];
  fill(expected);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) CHECK_IS(grid[i][j], expected[i][j]);
}

static void compute(int i, int j) {
  sleep_us(1 + (i * 7 + j * 3) % 5);
  grid[i][j] = 1 + (i > 0 ? grid[i - 1][j] : 0) + (j > 0 ? grid[i][j - 1] : 0);
}

static void test_in_two_dimensions(omp_sched_t schedule) {
  omp_set_schedule(schedule, 1);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) grid[i][j] = 0;
#pragma omp parallel for ordered(2) schedule(runtime) num_threads(threads)
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      compute(i, j);
#pragma omp ordered depend(source)
    }
  check();
}

/* A chain across all iterations, whatever the schedule, the kind of number and the direction. */
static void test_chains(void) {
  int next = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for ordered(1) schedule(guided)
    for (int i = 0; i < 40; ++i) {
      sleep_us(40 - i);
#pragma omp ordered depend(sink : i - 1)
      CHECK_IS(next++, i);
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(runtime)
    for (unsigned long long i = 40; i < 60; ++i) {
#pragma omp ordered depend(sink : i - 1)
      CHECK_IS(next++, i);
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(static)
    for (int i = 60; i > 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
      CHECK_IS(next++, 60 + (60 - i) / 3);
#pragma omp ordered depend(source)
    }
  }
  CHECK_IS(next, 80);
}

/* Two iterations apart, so that two chains go side by side. */
static void test_side_by_side(void) {
  const long before = now_us();
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
  for (int i = 0; i < 20; ++i) {
#pragma omp ordered depend(sink : i - 2)
    sleep_us(10);
#pragma omp ordered depend(source)
  }
  CHECK_LASTED(now_us() - before, 100);
}

static void test_last_values(void) {
  int last = -1, sums[30], sum = 0;
#pragma omp parallel for schedule(dynamic, 2) num_threads(threads) lastprivate(conditional : last)
  for (int i = 0; i < 30; ++i)
    if (i % 7 == 0) last = i;
  CHECK_IS(last, 28);
#pragma omp parallel for reduction(inscan, + : sum) num_threads(threads)
  for (int i = 0; i < 30; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    sums[i] = sum;
  }
  for (int i = 0; i < 30; ++i) CHECK_IS(sums[i], i * (i + 1) / 2);
}

int main(void) {
  test_in_two_dimensions(omp_sched_static);
  test_in_two_dimensions(omp_sched_dynamic);
  test_chains();
  test_side_by_side();
  test_last_values();
  puts("right");
  return 0;
}
