/* Collect and fcollect in every active set: equal lengths, and different ones, none at all among them. */
#include <string.h>

#include "check.h"

enum { longest = 40, pes_max = 64 };
typedef void (*collect_function)(void*, const void*, size_t, int, int, int, long*);
static const struct {
  collect_function collect;
  int bytes, equal;
} forms[] = {
    {shmem_fcollect, 8, 1}, {shmem_fcollect64, 8, 1}, {shmem_fcollect32, 4, 1},
    {shmem_collect, 8, 0},  {shmem_collect64, 8, 0},  {shmem_collect32, 4, 0},
};

static unsigned char source[longest * 8], target[pes_max * longest * 8 + 1];
static sync_words sync[2];

static unsigned char value(int pe, int i) { return (unsigned char)(pe * 13 + i * 3 + 1); }
/* How many elements a member has. */
static int length_of(int member, int length, int equal) { return equal ? length : (member * 5 + length) % longest; }

static void collect(active_set set, int form, int length, int turn) {
  const int each = forms[form].bytes, equal = forms[form].equal, mine = length_of(set.me, length, equal);
  for (int i = 0; i < mine * each; ++i) source[i] = value(shmem_my_pe(), i);
  forms[form].collect(target, source, mine, set.start, set.log_stride, set.size, sync[turn]);
  int at = 0;
  for (int member = 0; member < set.size; ++member)
    for (int i = 0; i < length_of(member, length, equal) * each; ++i)
      CHECK_LONG(target[at++], value(pe_of(set, member), i));
  CHECK(target[at] == 0xee);
}

int main(void) {
  start_sync(sync[0], 2);
  for (active_set set = {0, 0, 0, -1}; next_set(&set);)
    for (int form = 0; form < 6; ++form)
      for (int length = 0; length < longest; length = 3 * length + 1) {
        memset(target, 0xee, sizeof target);
        shmem_barrier_all();
        if (set.me >= 0) collect(set, form, length, form % 2);
        shmem_barrier_all();
      }
  CHECK(all_unsent(sync[0], 2));
  /* All are in one call before anybody is out of it: two pSyncs in turn need nothing between. */
  static long one, all[pes_max];
  for (long round = 0; round < 6; ++round) {
    one = round * 100 + shmem_my_pe();
    shmem_fcollect64(all, &one, 1, 0, 0, shmem_n_pes(), sync[round % 2]);
    for (int pe = 0; pe < shmem_n_pes(); ++pe) CHECK_LONG(all[pe], round * 100 + pe);
    static sync_words apart;
    if (round == 0) start_sync(apart, 1);
    shmem_barrier(0, 0, shmem_n_pes(), apart); /* the target is about to be used again */
  }
  return finish();
}
