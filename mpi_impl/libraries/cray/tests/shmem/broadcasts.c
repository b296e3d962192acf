/* Broadcasts in every active set, from every root, of no, one and many elements. */
#include <string.h>

#include "check.h"

enum { longest = 700 };
typedef void (*broadcast_function)(void*, const void*, size_t, int, int, int, int, long*);
static const struct {
  broadcast_function broadcast;
  int bytes;
} forms[] = {{shmem_broadcast, 8}, {shmem_broadcast64, 8}, {shmem_broadcast32, 4}};

static unsigned char target[longest * 8 + 1], source[longest * 8];
static sync_words sync[2];
static int turn;

static void broadcast(active_set set, int root, int form, int length) {
  const int bytes = length * forms[form].bytes;
  memset(target, 0xee, sizeof target);
  for (int i = 0; i < bytes; ++i) source[i] = (unsigned char)(shmem_my_pe() * 5 + i + root);
  /* The target is ready everywhere, and the pSync is out of use, only then. */
  shmem_barrier_all();
  ++turn;
  if (set.me < 0) return;
  forms[form].broadcast(target, source, length, root, set.start, set.log_stride, set.size, sync[turn % 2]);
  for (int i = 0; i < bytes; ++i)
    CHECK(target[i] == (set.me == root ? 0xee : (unsigned char)(pe_of(set, root) * 5 + i + root)));
  CHECK(target[bytes] == 0xee);
}

int main(void) {
  static const int lengths[] = {0, 1, 9, longest};
  start_sync(sync[0], 2);
  for (active_set set = {0, 0, 0, -1}; next_set(&set);)
    for (int root = 0; root < set.size; root += 1 + set.size / 4) {
      broadcast(set, root, root % 3, lengths[1]);
      if (set.size > 6 || root == 0)
        for (int i = 0; i < 12; ++i) broadcast(set, root, i % 3, lengths[i / 3]);
    }
  shmem_barrier_all();
  CHECK(all_unsent(sync[0], 2));
  return finish();
}
