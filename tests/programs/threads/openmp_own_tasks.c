/* Who works on which task when: a task that waits works on its own tasks alone, one with an event is over with that, a
 * nestable lock is a task's, and what has a higher priority comes first. */
#include <omp.h>

#include "wrong.h"

static void test_a_task_that_waits_with_a_lock(void) {
  enum { tasks = 6 };
  omp_lock_t lock;
  int done = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < tasks; ++i)
#pragma omp task shared(lock, done)
  {
    omp_set_lock(&lock);
#pragma omp task shared(done)
    {
      sleep_us(10);
      ++done;
    }
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  CHECK_IS(done, tasks);
}

static void test_a_group_waits_for_tasks_of_its_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    int done = 0;
#pragma omp taskgroup
#pragma omp task shared(done)
    for (int i = 0; i < 4; ++i)
#pragma omp task shared(done)
#pragma omp task shared(done)
    {
      sleep_us(5);
#pragma omp atomic
      ++done;
    }
    CHECK_IS(done, 4);
  }
}

static void test_an_event_that_the_same_thread_fulfils(void) {
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t event;
    int has_run = 0;
#pragma omp task detach(event) shared(has_run)
    has_run = 1;
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_IS(has_run, 1);
  }
}

static void test_a_nestable_lock_is_a_tasks(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(1)
  {
    omp_set_nest_lock(&lock);
    CHECK_IS(omp_test_nest_lock(&lock), 2);
#pragma omp task if (0) shared(lock)
    CHECK_IS(omp_test_nest_lock(&lock), 0);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
    {
      CHECK_IS(omp_test_nest_lock(&lock), 1);
      omp_unset_nest_lock(&lock);
    }
  }
  omp_destroy_nest_lock(&lock);
}

/* Of OMP_MAX_TASK_PRIORITY=2: what is above that is like it. */
static void test_priorities(void) {
  enum { tasks = 5 };
  const int priorities[tasks] = {0, 1, 2, 7, 1};
  int order[tasks], begun = 0, last = 2;
  CHECK_IS(omp_get_max_task_priority(), 2);
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t event;
    int all = 0;
#pragma omp task depend(out : all) detach(event) shared(all)
    all = 1;
    for (int i = 0; i < tasks; ++i)
#pragma omp task depend(in : all) priority(priorities[i]) firstprivate(i) shared(order, begun)
      order[begun++] = i;
#pragma omp taskyield
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_IS(all, 1);
  }
  for (int i = 0; i < tasks; ++i) {
    const int priority = priorities[order[i]] < 2 ? priorities[order[i]] : 2;
    CHECK(priority <= last);
    last = priority;
  }
}

/* Without OMP_CANCELLATION it is not, and its event is fulfilled. */
static void test_what_is_cancelled_needs_no_event(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
    omp_event_handle_t event, other;
    int before = 0, after = 0, beside = 0;
#pragma omp task depend(out : before) shared(before)
    {
      sleep_us(10);
      before = 1;
    }
#pragma omp task depend(in : before) detach(event) shared(after)
    after = 1;
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
#pragma omp task detach(other) shared(beside)
    beside = 1;
    omp_fulfill_event(other);
    if (!omp_get_cancellation()) omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_IS(after, !omp_get_cancellation());
    CHECK_IS(beside, !omp_get_cancellation());
  }
}

static int links;

static void make_link(int others) {
#pragma omp task
  {
    ++links;
    if (others > 0) make_link(others - 1);
  }
}

static void test_a_long_chain_of_tasks(void) {
  enum { length = 100000 };
#pragma omp parallel num_threads(2)
#pragma omp single
  make_link(length - 1);
  CHECK_IS(links, length);
}

int main(void) {
  test_a_task_that_waits_with_a_lock();
  test_a_group_waits_for_tasks_of_its_tasks();
  test_an_event_that_the_same_thread_fulfils();
  test_a_nestable_lock_is_a_tasks();
  test_priorities();
  test_what_is_cancelled_needs_no_event();
  test_a_long_chain_of_tasks();
  printf("right\n");
}
