/* What a task sets is its own and that of the tasks it makes: threads, levels, schedules, devices, allocators. */
#include <omp.h>

#include "wrong.h"

static int kind_of_schedule(int* chunk) {
  omp_sched_t kind;
  omp_get_schedule(&kind, chunk);
  return (int)kind;
}

static void test_schedules_are_told_as_they_were_set(void) {
  int chunk;
  omp_set_schedule(omp_sched_auto, 7);
  CHECK_IS(kind_of_schedule(&chunk), omp_sched_auto);
  omp_set_schedule((omp_sched_t)(omp_sched_monotonic | omp_sched_dynamic), 3);
  CHECK_IS(kind_of_schedule(&chunk), (int)(omp_sched_monotonic | omp_sched_dynamic));
  CHECK_IS(chunk, 3);
  omp_set_schedule((omp_sched_t)77, 5); /* is none */
  CHECK_IS(kind_of_schedule(&chunk), (int)(omp_sched_monotonic | omp_sched_dynamic));
  omp_set_schedule(omp_sched_guided, -1);
  CHECK_IS(kind_of_schedule(&chunk), omp_sched_guided);
  CHECK_IS(chunk, 1);
}

static void test_what_a_thread_sets_is_its_own(void) {
  int chunk;
  omp_set_schedule(omp_sched_guided, 5);
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) private(chunk)
  {
    if (omp_get_thread_num() == 1) {
      omp_set_schedule(omp_sched_static, 9);
      omp_set_dynamic(1);
      omp_set_max_active_levels(7);
      omp_set_default_device(2);
      omp_set_default_allocator(omp_const_mem_alloc);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      CHECK_IS(kind_of_schedule(&chunk), omp_sched_guided);
      CHECK_IS(omp_get_dynamic(), 0);
    } else {
      CHECK_IS(kind_of_schedule(&chunk), omp_sched_static);
#pragma omp parallel num_threads(2)
      CHECK_IS(omp_get_default_device(), 2);
    }
  }
  CHECK_IS(kind_of_schedule(&chunk), omp_sched_guided);
  CHECK_IS(chunk, 5);
  CHECK_IS(omp_get_dynamic(), 0);
  CHECK_IS(omp_get_max_active_levels(), 3);
  CHECK_IS(omp_get_default_device(), 0);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
}

static void test_what_a_task_sets_is_its_own(void) {
#pragma omp parallel num_threads(1)
  {
    omp_set_num_threads(3);
#pragma omp task if (0)
    {
      CHECK_IS(omp_get_max_threads(), 3);
      omp_set_num_threads(5);
#pragma omp task if (0)
      CHECK_IS(omp_get_max_threads(), 5);
    }
    CHECK_IS(omp_get_max_threads(), 3);
  }
}

static void test_nesting_that_is_left(void) {
  omp_set_max_active_levels(2);
  CHECK_IS(omp_get_nested(), 1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  CHECK_IS(omp_get_nested(), 0);
  omp_set_nested(1);
  CHECK_IS(omp_get_max_active_levels(), omp_get_supported_active_levels());
  omp_set_max_active_levels(0);
  omp_set_nested(0);
  CHECK_IS(omp_get_max_active_levels(), 0);
  omp_set_max_active_levels(1);
}

/* gcc takes these for no calls within a region of teams, unless they are in a function. */
__attribute__((noinline)) static int thread_limit(void) { return omp_get_thread_limit(); }
__attribute__((noinline)) static int max_threads(void) { return omp_get_max_threads(); }

static void test_limits_of_teams_and_targets(void) {
  const int before = omp_get_thread_limit();
  omp_set_num_threads(6);
#pragma omp teams num_teams(2) thread_limit(3)
  {
    CHECK_IS(max_threads(), 6);
    CHECK_IS(thread_limit(), 3);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size += 1;
    CHECK_IS(size, 3);
  }
#pragma omp target teams num_teams(2) thread_limit(2)
  CHECK_IS(thread_limit(), 2);
#pragma omp target thread_limit(4)
  CHECK_IS(omp_get_thread_limit(), 4);
  CHECK_IS(omp_get_thread_limit(), before);
  omp_set_num_threads(1);
}

static void test_each_thread_has_its_own_teams(void) {
#pragma omp parallel num_threads(3)
  {
    const int wanted = omp_get_thread_num() + 1;
    int seen = 0, sum = 0;
#pragma omp target teams num_teams(wanted) map(tofrom : seen, sum)
    {
      sleep_us(10);
      CHECK_IS(omp_get_num_teams(), wanted);
      sum += omp_get_team_num();
      ++seen;
    }
    CHECK_IS(seen, wanted);
    CHECK_IS(sum, wanted * (wanted - 1) / 2);
  }
}

static void test_what_is_no_device(void) {
  int from = 1, to = 2;
  const int nowhere = omp_get_num_devices() + 5;
  CHECK(omp_target_alloc(8, nowhere) == NULL);
  CHECK_IS(omp_target_is_present(&from, nowhere), 0);
  CHECK(omp_target_memcpy(&to, &from, sizeof to, 0, 0, nowhere, omp_get_initial_device()) != 0);
  CHECK_IS(to, 2);
  CHECK(omp_pause_resource(omp_pause_soft, nowhere) != 0);
  CHECK_IS(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
}

static void test_an_allocator_that_cannot_be(void) {
  const omp_alloctrait_t odd = {omp_atk_alignment, 24};
  CHECK(omp_init_allocator(omp_default_mem_space, 1, &odd) == omp_null_allocator);
}

int main(void) {
  test_schedules_are_told_as_they_were_set();
  test_what_a_thread_sets_is_its_own();
  test_what_a_task_sets_is_its_own();
  test_nesting_that_is_left();
  test_limits_of_teams_and_targets();
  test_each_thread_has_its_own_teams();
  test_what_is_no_device();
  test_an_allocator_that_cannot_be();
  printf("right\n");
}
