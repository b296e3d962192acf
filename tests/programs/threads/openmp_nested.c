/* Regions within regions, teams, regions for devices (there is none: the host has them), and memory. */
#include <omp.h>

#include "wrong.h"

enum { outer = 3, inner = 4 };

static void test_levels(void) {
  int seen[outer][inner] = {{0}};
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(inner)
  CHECK_IS(omp_get_num_threads(), 1);
  omp_set_max_active_levels(2);
  CHECK(omp_get_nested());
#pragma omp parallel num_threads(outer)
  {
    const int own = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
    {
      CHECK_IS(omp_get_num_threads(), inner);
      CHECK_IS(omp_get_level(), 2);
      CHECK_IS(omp_get_active_level(), 2);
      CHECK_IS(omp_get_ancestor_thread_num(1), own);
      CHECK_IS(omp_get_team_size(1), outer);
      ++seen[own][omp_get_thread_num()];
#pragma omp barrier
      for (int i = 0; i < inner; ++i) CHECK_IS(seen[own][i], 1);
#pragma omp parallel num_threads(2)
      CHECK_IS(omp_get_num_threads(), 1);
    }
#pragma omp parallel for num_threads(inner) schedule(dynamic)
    for (int i = 0; i < inner; ++i) ++seen[own][i];
  }
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j) CHECK_IS(seen[i][j], 2);
      /* What a thread asks for holds for its own regions. */
#pragma omp parallel num_threads(outer)
  {
    omp_set_num_threads(1 + omp_get_thread_num());
    const int own = omp_get_thread_num();
#pragma omp parallel
    CHECK_IS(omp_get_num_threads(), 1 + own);
  }
}

static void test_teams(void) {
  int seen[3] = {0}, sum = 0;
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : sum)
  {
    CHECK_IS(omp_get_num_teams(), 3);
    ++seen[omp_get_team_num()];
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
      CHECK(omp_get_num_threads() <= 2);
      sum += 1;
    }
#pragma omp distribute
    for (int i = 0; i < 30; ++i) sum += 100;
  }
  for (int i = 0; i < 3; ++i) CHECK_IS(seen[i], 1);
  CHECK_IS(sum, 3006);
  CHECK_IS(omp_get_num_teams(), 1);
}

static void test_devices(void) {
  static double x[100], y[100];
  double dot = 0;
  int own = 1, kept = 2;
  CHECK_IS(omp_get_num_devices(), 0);
  for (int i = 0; i < 100; ++i) x[i] = i;
#pragma omp target data map(to : x) map(from : y)
  {
#pragma omp target teams distribute parallel for num_threads(2)
    for (int i = 0; i < 100; ++i) y[i] = 2 * x[i];
#pragma omp target update from(y)
#pragma omp target parallel for reduction(+ : dot) map(tofrom : dot)
    for (int i = 0; i < 100; ++i) dot += y[i];
  }
  CHECK_IS(dot, 9900);
#pragma omp target enter data map(alloc : x)
#pragma omp target firstprivate(own) map(tofrom : kept)
  {
    CHECK(omp_is_initial_device());
    own = 5;
    kept = 5;
  }
#pragma omp target exit data map(delete : x)
  CHECK_IS(own, 1);
  CHECK_IS(kept, 5);
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : kept) shared(kept)
    {
      sleep_us(10);
      kept = 6;
    }
#pragma omp target depend(inout : kept) map(tofrom : kept) nowait
    kept *= 2;
#pragma omp taskwait
    CHECK_IS(kept, 12);
  }
  int* memory = omp_target_alloc(4 * sizeof(int), omp_get_initial_device());
  const int values[4] = {1, 2, 3, 4};
  CHECK_IS(omp_target_memcpy(memory, values, 2 * sizeof(int), sizeof(int), 0, 0, 0), 0);
  CHECK_IS(memory[2], 2);
  omp_target_free(memory, 0);
}

static void test_memory(void) {
  int* plain = omp_alloc(40, omp_default_mem_alloc);
  for (int i = 0; i < 10; ++i) plain[i] = i;
  plain = omp_realloc(plain, 400, omp_default_mem_alloc, omp_default_mem_alloc);
  CHECK_IS(plain[9], 9);
  omp_free(plain, omp_null_allocator);
  const omp_alloctrait_t traits[] = {
      {omp_atk_alignment, 256}, {omp_atk_pool_size, 1024}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, traits);
  void* first = omp_alloc(600, small);
  CHECK(first != NULL);
  CHECK_IS((uintptr_t)first % 256, 0);
  CHECK(omp_alloc(600, small) == NULL);
  omp_free(first, small);
  char* cleared = omp_calloc(30, 20, small);
  CHECK(cleared != NULL);
  for (int i = 0; i < 600; ++i) CHECK_IS(cleared[i], 0);
  omp_free(cleared, small);
  CHECK_IS((uintptr_t)omp_aligned_alloc(64, 64, omp_null_allocator) % 64, 0);
  omp_set_default_allocator(small);
  CHECK(omp_get_default_allocator() == small);
  CHECK(omp_alloc(2000, omp_null_allocator) == NULL);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(small);
  int x = 3;
#pragma omp parallel num_threads(2) firstprivate(x) allocate(omp_high_bw_mem_alloc : x)
  CHECK_IS(x, 3);
}

static void test_places(void) {
  CHECK_IS(omp_get_num_places(), 0);
  CHECK_IS(omp_get_place_num(), -1);
  CHECK_IS(omp_get_proc_bind(), omp_proc_bind_false);
  CHECK(omp_get_supported_active_levels() > 1);
  omp_set_dynamic(1);
  CHECK(omp_get_dynamic());
  omp_set_dynamic(0);
}

int main(void) {
  test_levels();
  test_teams();
  test_devices();
  test_memory();
  test_places();
  puts("right");
  return 0;
}
