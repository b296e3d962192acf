/* Who is there, by all names; pointers to the own memory; and what does nothing. */
#include <shmem.h>

#include "check.h"

/* Fortran's names, which the header leaves to the program. */
int my_pe(void);
int num_pes(void);

static long number;

int main(void) {
  start_pes(0);
  const int me = shmem_my_pe(), n = shmem_n_pes();
  CHECK(me >= 0 && me < n);
  CHECK(_my_pe() == me && my_pe() == me);
  CHECK(_num_pes() == n && num_pes() == n && shmem_num_pes() == n);
  CHECK(shmem_ptr(&number, me) == &number);
  if (n > 1) CHECK(shmem_ptr(&number, (me + 1) % n) == NULL);
  long local = 0;
  CHECK(shmem_ptr(&local, me) == NULL && shmem_ptr(NULL, me) == NULL);
  for (int pe = 0; pe < n; ++pe) {
    CHECK(shmem_pe_accessible(pe) == 1);
    CHECK(shmem_addr_accessible(&number, pe) == 1 && shmem_addr_accessible(&local, pe) == 0);
  }
  CHECK(shmem_pe_accessible(n) == 0 && shmem_pe_accessible(-1) == 0 && shmem_addr_accessible(&number, n) == 0);
  shmem_set_cache_inv();
  shmem_set_cache_line_inv(&number);
  shmem_clear_cache_inv();
  shmem_clear_cache_line_inv(&number);
  shmem_udcflush();
  shmem_udcflush_line(&number);
  return finish();
}
