/* Reductions of all types and operations, in every active set, of counts for which pWrk is more and less than enough,
 * in place and not, with pSync and pWrk used in turn. */
#include <complex.h>

#include "check.h"

enum { longest = 150 };
static sync_words sync[2];
static int turn;

#define ROOM(count) \
  ((count) / 2 + 1 > _SHMEM_REDUCE_MIN_WRKDATA_SIZE ? (count) / 2 + 1 : _SHMEM_REDUCE_MIN_WRKDATA_SIZE)

/* `value` is what a PE brings; `fold` what two become. The element behind pWrk's last must stay as it is. */
#define TEST(name, op, type, value, fold)                                                                              \
  static type name##_##op##_target[longest + 1], name##_##op##_source[longest], name##_##op##_work[2][longest];        \
  static void name##_##op(active_set set, int count) {                                                                 \
    type *target = name##_##op##_target, *source = name##_##op##_source, *work = name##_##op##_work[turn % 2];         \
    const int in_place = turn % 3 == 0;                                                                                \
    for (int i = 0, pe = shmem_my_pe(); i < count; ++i) (in_place ? target : source)[i] = (type)(value);               \
    target[count] = work[ROOM(count)] = (type)77;                                                                      \
    shmem_##name##_##op##_to_all(target, in_place ? target : source, count, set.start, set.log_stride, set.size, work, \
                                 sync[turn % 2]);                                                                      \
    for (int i = 0; i < count; ++i) {                                                                                  \
      int pe = pe_of(set, 0);                                                                                          \
      type a = (type)(value);                                                                                          \
      for (int member = 1; member < set.size; ++member) {                                                              \
        pe = pe_of(set, member);                                                                                       \
        const type b = (type)(value);                                                                                  \
        a = (type)(fold);                                                                                              \
      }                                                                                                                \
      CHECK(target[i] == a);                                                                                           \
    }                                                                                                                  \
    CHECK(target[count] == (type)77 && work[ROOM(count)] == (type)77);                                                 \
    ++turn;                                                                                                            \
  }

/* Small whole numbers: sums and products of floating numbers are exact in any order. */
#define BITS (pe * 2654435761u + i * 40503u)
#define SMALL ((pe * 7 + i * 3) % 23 - 11)
#define FACTOR ((pe + i) % 5 == 0 ? -2 : 1)
#define TEST_BITS(name, type)               \
  TEST(name, and, type, BITS | 0x21, a & b) \
  TEST(name, or, type, BITS & 0x1248, a | b) TEST(name, xor, type, BITS, a ^ b)
#define TEST_ORDER(name, type) TEST(name, max, type, SMALL, a > b ? a : b) TEST(name, min, type, SMALL, a < b ? a : b)
#define TEST_SUMS(name, type) TEST(name, sum, type, SMALL, a + b) TEST(name, prod, type, FACTOR, a* b)
#define TEST_ALL(name, type) TEST_ORDER(name, type) TEST_SUMS(name, type)

TEST_BITS(short, short)
TEST_BITS(int, int)
TEST_BITS(long, long)
TEST_BITS(longlong, long long)
TEST_ALL(short, short)
TEST_ALL(int, int)
TEST_ALL(long, long)
TEST_ALL(longlong, long long)
TEST_ALL(float, float)
TEST_ALL(double, double)
TEST_ALL(longdouble, long double)
TEST(complexf, sum, float complex, SMALL + I * (i - pe % 4), a + b)
TEST(complexf, prod, float complex, FACTOR + I * (i % 2), a* b)
TEST(complexd, sum, double complex, SMALL + I * (i - pe % 4), a + b)
TEST(complexd, prod, double complex, FACTOR + I * (i % 2), a* b)

typedef void (*reduction)(active_set, int);
#define BIT_FORMS(name) name##_and, name##_or, name##_xor
#define FORMS(name) name##_max, name##_min, name##_sum, name##_prod
static const reduction reductions[] = {
    BIT_FORMS(short), BIT_FORMS(int), BIT_FORMS(long), BIT_FORMS(longlong), FORMS(short), FORMS(int),   FORMS(long),
    FORMS(longlong),  FORMS(float),   FORMS(double),   FORMS(longdouble),   complexf_sum, complexd_sum,
};
/* Of many PEs the product is too large to be exact. */
static const reduction of_few[] = {complexf_prod, complexd_prod};

int main(void) {
  static const int counts[] = {0, 1, 2, 3, 4, 5, 8, 31, longest};
  const int n = shmem_n_pes(), forms = sizeof reductions / sizeof *reductions;
  start_sync(sync[0], 2);
  int of_set = 0;
  for (active_set set = {0, 0, 0, -1}; next_set(&set); ++of_set) {
    for (int i = 0; i < 9; ++i) {
      /* Of every set some, of the largest all. */
      for (int form = 0; form < forms; ++form)
        if (set.me >= 0 && (set.size == n || (form + i + of_set) % 11 == 0)) reductions[form](set, counts[i]);
      for (int form = 0; form < 2; ++form)
        if (set.me >= 0 && set.size <= 9) of_few[form](set, counts[i]);
    }
    shmem_barrier_all();
    turn = 0; /* who was not in the set has made fewer calls */
    CHECK(all_unsent(sync[0], 2));
  }
  return finish();
}
