/* The symmetric heap: what it gives has the same place everywhere, is apart, aligned, and comes back. */
#include <stdint.h>
#include <string.h>

#include "check.h"

/* The manual declares it, and so may a program. */
extern long malloc_error;

enum { blocks = 20 };

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
  long* block[blocks];
  for (int i = 0; i < blocks; ++i) {
    block[i] = shmalloc((size_t)(i * i + 1) * sizeof(long));
    CHECK(block[i] && (uintptr_t)block[i] % sizeof(long) == 0);
    for (int k = 0; k <= i * i; ++k) block[i][k] = -1;
  }
  shmem_barrier_all();
  for (int i = 0; i < blocks; ++i)
    for (int k = 0; k <= i * i; ++k) shmem_long_p(&block[i][k], me * 10000 + i * 500 + k, next);
  shmem_barrier_all();
  for (int i = 0; i < blocks; ++i)
    for (int k = 0; k <= i * i; ++k) CHECK_LONG(block[i][k], before * 10000 + i * 500 + k);

  for (int i = 0; i < blocks; i += 2) shfree(block[i]);
  for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
    char* aligned = shmemalign(alignment, 100);
    CHECK(aligned && (uintptr_t)aligned % alignment == 0);
    aligned[99] = 1;
    shfree(aligned);
  }
  /* Aligned by the program itself, it has the same place everywhere, too. */
  enum { by_hand = 65536 };
  char* room = shmalloc(2 * by_hand);
  int* within = (int*)(((uintptr_t)room + by_hand - 1) / by_hand * by_hand);
  *within = -1;
  shmem_barrier_all();
  shmem_int_p(within, me, next);
  shmem_barrier_all();
  CHECK_LONG(*within, before);
  shfree(room);

  /* What has been put there before stays, and moves along. */
  long* grown = shrealloc(block[1], 1000 * sizeof(long));
  CHECK(grown && grown[0] == before * 10000 + 500 && grown[1] == before * 10000 + 501);
  shmem_long_p(&grown[999], me, next);
  shmem_barrier_all();
  CHECK_LONG(grown[999], before);
  grown = shrealloc(grown, sizeof(long));
  CHECK(grown && grown[0] == before * 10000 + 500);
  shfree(grown);
  for (int i = 3; i < blocks; i += 2) {
    for (int k = 0; k <= i * i; ++k) CHECK_LONG(block[i][k], before * 10000 + i * 500 + k);
    shfree(block[i]);
  }
  long* first = shrealloc(NULL, 800);
  CHECK(first);
  shfree(first);
  shfree(NULL);

  /* Too much is refused, and leaves the heap as it was; all that is freed can be had again. */
  CHECK(malloc_error == 0);
  CHECK(shmalloc((size_t)1 << 60) == NULL);
  CHECK(malloc_error == -2);
  char* kept = shmalloc(8);
  CHECK(malloc_error == 0);
  CHECK(shrealloc(kept, (size_t)1 << 60) == NULL);
  CHECK(malloc_error == -2);
  shfree(kept);
  CHECK(malloc_error == 0);
  for (int i = 0; i < 50; ++i) {
    char* large = shmalloc(1 << 20);
    CHECK(large);
    memset(large, i, 1 << 20);
    shfree(large);
  }
  return finish();
}
