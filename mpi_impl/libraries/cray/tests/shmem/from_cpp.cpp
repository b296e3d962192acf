// SHMEM from C++: complex numbers are the library's own, and static members and statics of functions are symmetric.
#include <complex>

#include "check.h"

namespace {

struct Shared {
  static long number;
  template <typename T>
  static T& cell() {
    static T value;
    return value;
  }
};
long Shared::number = 0;

using complex = std::complex<double>;
complex sums[3], own[3], work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
std::complex<float> product, factor, more_work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
sync_words sync[2];

}  // namespace

int main() {
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
  start_sync(sync[0], 2);
  shmem_long_p(&Shared::number, me + 1, next);
  shmem_double_p(&Shared::cell<double>(), me + 0.5, next);
  shmem_barrier_all();
  CHECK(Shared::number == before + 1 && Shared::cell<double>() == before + 0.5);
  for (int i = 0; i < 3; ++i) own[i] = complex(me, i - me);
  shmem_complexd_sum_to_all(sums, own, 3, 0, 0, n, work, sync[0]);
  for (int i = 0; i < 3; ++i) CHECK(sums[i] == complex(n * (n - 1) / 2, n * i - n * (n - 1) / 2));
  factor = me == 0 ? std::complex<float>(0, 1) : 2.0F;
  shmem_complexf_prod_to_all(&product, &factor, 1, 0, 0, n, more_work, sync[1]);
  CHECK(product == std::complex<float>(0, static_cast<float>(1 << (n - 1))));
  return finish();
}
