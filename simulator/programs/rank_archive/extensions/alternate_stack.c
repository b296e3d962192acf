/* sigaltstack: the stack on which a program deals with the overflow of its own. The process has one of the simulator's,
 * on which all ranks' faults are looked at first. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "own_copy.h"
#include "rank_interface.h"

static stack_t alternate = {NULL, SS_DISABLE, 0};

OWN_COPY int sigaltstack(const stack_t* restrict stack, stack_t* restrict before) {
  const stack_t last = alternate;
  if (stack != NULL) {
    const int is_none = (stack->ss_flags & SS_DISABLE) != 0;
    if ((stack->ss_flags & ~(SS_DISABLE | SS_ONSTACK)) != 0) {
      errno = EINVAL;
      return -1;
    }
    if (!is_none && stack->ss_size < 2048) { /* the kernel's least, MINSIGSTKSZ, where that is a constant */
      errno = ENOMEM;
      return -1;
    }
    alternate = is_none ? (stack_t){NULL, SS_DISABLE, 0} : (stack_t){stack->ss_sp, 0, stack->ss_size};
    hindcast_rank_handles_overflow_on(is_none ? NULL : (char*)stack->ss_sp + stack->ss_size);
  }
  if (before != NULL) *before = last;
  return 0;
}

OFFER(sigaltstack);
