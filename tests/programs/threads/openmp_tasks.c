/* OpenMP's tasks: reductions of every kind, dependences, events, priorities. */
#include <omp.h>

#include "wrong.h"

enum { threads = 4 };

static void sum_tree(int depth, long* sum) {
#pragma omp task in_reduction(+ : sum[0]) firstprivate(depth)
  {
    sum[0] += 1;
    if (depth > 0) {
      sum_tree(depth - 1, sum);
      sum_tree(depth - 1, sum);
    }
  }
}

static void test_reductions_of_groups(void) {
  long sum[1] = {5}, product = 1, order = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum[0])
    sum_tree(6, sum);
#pragma omp taskgroup task_reduction(* : product)
#pragma omp taskgroup task_reduction(max : order)
    for (int i = 1; i <= 10; ++i)
#pragma omp task in_reduction(* : product) in_reduction(max : order) firstprivate(i)
    {
      sleep_us(11 - i);
      product *= i;
      if (i > order) order = i;
    }
  }
  CHECK_IS(sum[0], 5 + 127);
  CHECK_IS(product, 3628800);
  CHECK_IS(order, 10);
}

static void test_reductions_of_regions(void) {
  long by_region = 0, by_loop = 0, by_sections = 0, by_taskloop = 0, by_scope = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : by_region)
  {
    by_region += 1;
#pragma omp single
    for (int i = 0; i < 20; ++i)
#pragma omp task in_reduction(+ : by_region) firstprivate(i)
      by_region += i;
#pragma omp barrier
#pragma omp for reduction(task, + : by_loop) schedule(dynamic, 2)
    for (int i = 0; i < 30; ++i) {
      by_loop += 1000;
#pragma omp task in_reduction(+ : by_loop) firstprivate(i)
      by_loop += i;
    }
#pragma omp sections reduction(task, + : by_sections)
    {
#pragma omp task in_reduction(+ : by_sections)
      by_sections += 3;
#pragma omp section
#pragma omp task in_reduction(+ : by_sections)
      by_sections += 4;
    }
#pragma omp single
#pragma omp taskloop reduction(+ : by_taskloop) grainsize(7)
    for (int i = 0; i < 100; ++i) by_taskloop += i;
#pragma omp scope reduction(task, + : by_scope)
    {
#pragma omp task in_reduction(+ : by_scope)
      by_scope += 2;
    }
  }
  CHECK_IS(by_region, threads + 190);
  CHECK_IS(by_loop, 30000 + 435);
  CHECK_IS(by_sections, 7);
  CHECK_IS(by_taskloop, 4950);
  CHECK_IS(by_scope, 2 * threads);
}

/* Those that only read go side by side; who writes comes alone. */
static void test_dependences(void) {
  int value = 0, reading = 0, reading_most = 0, seen[4] = {0}, exclusive = 0, entered = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task depend(out : value) shared(value)
    {
      sleep_us(20);
      value = 1;
    }
    for (int i = 0; i < 4; ++i)
#pragma omp task depend(in : value) firstprivate(i) shared(value, reading, reading_most, seen)
    {
      if (++reading > reading_most) reading_most = reading;
      sleep_us(10);
      seen[i] = value;
      --reading;
    }
#pragma omp task depend(inout : value) shared(value, reading)
    {
      CHECK_IS(reading, 0);
      value = 2;
    }
#pragma omp taskwait depend(in : value)
    CHECK_IS(value, 2);
    for (int i = 0; i < 4; ++i)
#pragma omp task depend(mutexinoutset : exclusive) shared(exclusive, entered)
    {
      CHECK_IS(entered++, 0);
      sleep_us(5);
      ++exclusive;
      --entered;
    }
#pragma omp task depend(in : exclusive) shared(exclusive)
    CHECK_IS(exclusive, 4);
  }
  CHECK_IS(value, 2);
  CHECK(reading_most > 1);
  for (int i = 0; i < 4; ++i) CHECK_IS(seen[i], 1);
}

/* A task that waits for another is one of those that the others pass by. */
static void test_independent_tasks_go_on(void) {
  int cells[8][8] = {{0}}, gate = 0, passed = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
#pragma omp task depend(in                                                                                \
                        : cells[i > 0 ? i - 1 : 0][j], cells[i][j > 0 ? j - 1 : 0]) depend(out            \
                                                                                           : cells[i][j]) \
    firstprivate(i, j) shared(cells)
        cells[i][j] = 1 + (i > 0 ? cells[i - 1][j] : 0) + (j > 0 ? cells[i][j - 1] : 0);
#pragma omp taskwait
#pragma omp task depend(out : gate) shared(gate)
    {
      sleep_us(100);
      gate = 1;
    }
#pragma omp task depend(in : gate) shared(gate, passed)
    CHECK(gate == 1 && passed == 1);
#pragma omp task shared(passed)
    passed = 1;
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      CHECK_IS(cells[i][j], 1 + (i > 0 ? cells[i - 1][j] : 0) + (j > 0 ? cells[i][j - 1] : 0));
}

static void test_dependence_objects(void) {
  omp_depend_t object;
  int value = 0, many[5] = {0}, sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp depobj(object) depend(inout : value)
#pragma omp task depend(depobj : object) shared(value)
    {
      sleep_us(10);
      value = 7;
    }
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(value)
    CHECK_IS(value, 7);
#pragma omp depobj(object) destroy
    for (int i = 0; i < 5; ++i)
#pragma omp task depend(out : many[i]) firstprivate(i) shared(many)
    {
      sleep_us(5);
      many[i] = i;
    }
#pragma omp task depend(iterator(i = 0 : 5), in : many[i]) shared(many, sum)
    for (int i = 0; i < 5; ++i) sum += many[i];
  }
  CHECK_IS(sum, 10);
}

/* Also where nothing is deferred: by a thread alone, and by tasks that the program wants at once. */
static void test_dependences_of_one(void) {
  int value = 0;
#pragma omp task depend(out : value) shared(value)
  value = 1;
#pragma omp task depend(inout : value) shared(value) if (0)
  CHECK_IS(value++, 1);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task depend(inout : value) shared(value)
    {
      sleep_us(10);
      CHECK_IS(value++, 2);
    }
#pragma omp task depend(inout : value) shared(value) if (0)
    CHECK_IS(value++, 3);
    CHECK_IS(value, 4);
  }
}

static void test_events(void) {
  int done = 0, after = 0;
  omp_event_handle_t event;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task detach(event) depend(out : done) shared(done)
    done = 1;
#pragma omp task depend(in : done) shared(done, after)
    {
      CHECK_IS(done, 2);
      after = 1;
    }
#pragma omp task shared(done, after, event)
    {
      sleep_us(50);
      CHECK_IS(after, 0);
      CHECK_IS(done, 1);
      done = 2;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK_IS(after, 1);
  }
}

static void test_taskloops(void) {
  int done[50] = {0}, tasks = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskloop grainsize(strict : 8) priority(1) nogroup
    for (int i = 0; i < 50; ++i) {
      ++done[i];
      if (i % 8 == 0)
#pragma omp atomic
        ++tasks;
    }
#pragma omp taskwait
    CHECK_IS(tasks, 7);
#pragma omp taskloop collapse(2) num_tasks(3)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 10; ++j) ++done[10 * i + j];
  }
  for (int i = 0; i < 50; ++i) CHECK_IS(done[i], 2);
}

int main(void) {
  test_reductions_of_groups();
  test_reductions_of_regions();
  test_dependences();
  test_independent_tasks_go_on();
  test_dependence_objects();
  test_dependences_of_one();
  test_events();
  test_taskloops();
  puts("right");
  return 0;
}
