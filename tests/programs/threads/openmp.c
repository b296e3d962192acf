/* OpenMP: regions, loops of all schedules, sections, tasks, what one does, and locks. */
#include "wrong.h"

#include <omp.h>

#include "hindcast.h"

enum { threads = 4, many = 1000 };

static int kept = 5;
#pragma omp threadprivate(kept)

static long fibonacci(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void regions(void) {
  int seen[threads] = {0}, sum = 0, count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    CHECK_IS(omp_get_num_threads(), threads);
    CHECK(omp_in_parallel());
    ++seen[omp_get_thread_num()];
    sum += omp_get_thread_num();
    kept = omp_get_thread_num();
#pragma omp critical
    ++count;
#pragma omp critical(named)
    ++count;
#pragma omp barrier
    CHECK_IS(count, 2 * threads);
#pragma omp parallel num_threads(3)
    {
      CHECK_IS(omp_get_num_threads(), 1);
      CHECK_IS(omp_get_level(), 2);
    }
  }
  for (int i = 0; i < threads; ++i) CHECK_IS(seen[i], 1);
  CHECK_IS(sum, threads * (threads - 1) / 2);
#pragma omp parallel num_threads(threads)
  CHECK_IS(kept, omp_get_thread_num());
  CHECK(!omp_in_parallel() && omp_get_num_threads() == 1);
}

static void loops(void) {
  static int done[many];
  long sum = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 7)
    for (int i = 0; i < many; ++i) ++done[i];
#pragma omp for schedule(dynamic, 3)
    for (int i = many - 1; i >= 0; --i) ++done[i];
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < many; i += 2) ++done[i];
#pragma omp for schedule(runtime)
    for (unsigned long long i = 1; i < many; i += 2) ++done[i];
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < many; ++i) sum += done[i];
  }
  CHECK_IS(sum, 3 * many);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(+ : sum)
  for (int i = 0; i < many; ++i) sum += i;
  CHECK_IS(sum, 3 * many + many * (many - 1) / 2);
  int next = 0;
#pragma omp parallel for ordered schedule(dynamic, 2) num_threads(threads)
  for (int i = 0; i < 40; ++i) {
    sleep_us(40 - i);
#pragma omp ordered
    CHECK_IS(next++, i);
  }
  int empty = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int i = 5; i < 5; ++i) ++empty;
  CHECK_IS(empty, 0);
}

static void shares(void) {
  int sections = 0, singles = 0, told[threads], masters = 0;
#pragma omp parallel num_threads(threads)
  {
    for (int round = 0; round < 5; ++round) {
#pragma omp sections
      {
#pragma omp section
#pragma omp atomic
        ++sections;
#pragma omp section
#pragma omp atomic
        ++sections;
      }
#pragma omp single
      ++singles;
    }
    int value = -1;
#pragma omp single copyprivate(value)
    value = 17;
    told[omp_get_thread_num()] = value;
#pragma omp master
    ++masters;
  }
  CHECK_IS(sections, 10);
  CHECK_IS(singles, 5);
  CHECK_IS(masters, 1);
  for (int i = 0; i < threads; ++i) CHECK_IS(told[i], 17);
}

static void tasks(void) {
  long result = 0;
  int order[3] = {0}, count = 0, by[threads] = {0};
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    result = fibonacci(12);
#pragma omp task depend(out : order[0])
    order[0] = ++count;
#pragma omp task depend(in : order[0]) depend(out : order[1])
    order[1] = ++count;
#pragma omp taskwait
#pragma omp taskgroup
    for (int i = 0; i < 8; ++i)
#pragma omp task
    {
      sleep_us(10);
      ++by[omp_get_thread_num()];
    }
    int sum = 0;
    for (int i = 0; i < threads; ++i) sum += by[i];
    CHECK_IS(sum, 8);
    long total = 0;
#pragma omp taskloop num_tasks(5) shared(total)
    for (int i = 0; i < 100; ++i)
#pragma omp atomic
      total += i;
    CHECK_IS(total, 4950);
  }
  CHECK_IS(result, 144);
  CHECK(order[0] == 1 && order[1] == 2);
  for (int i = 0; i < threads; ++i) CHECK_IS(by[i], 2);
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nested;
  int count = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(threads)
  {
    omp_set_lock(&lock);
    const int before = count;
    sleep_us(1);
    count = before + 1;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    CHECK_IS(omp_test_nest_lock(&nested), 2);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
  }
  CHECK_IS(count, threads);
  CHECK(omp_test_lock(&lock));
  CHECK(!omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nested);
}

int main(void) {
  regions();
  loops();
  shares();
  tasks();
  locks();
  const double before = omp_get_wtime();
#pragma omp parallel num_threads(threads)
  hindcast_compute_seconds(1e-4);
  printf("right after %.0f us on %d\n", (omp_get_wtime() - before) * 1e6, omp_get_num_procs());
  return 0;
}
