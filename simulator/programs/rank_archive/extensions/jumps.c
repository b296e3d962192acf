/* sigsetjmp keeps the rank's mask of signals, which is the simulator's, beside that of the process. */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "own_copy.h"

/* libc's set is as long as there might be signals, and it looks at the first word alone. */
static unsigned long* kept_mask(struct __jmp_buf_tag* place) {
  enum { words = sizeof place->__saved_mask.__val / sizeof place->__saved_mask.__val[0] };
  return &place->__saved_mask.__val[words - 1];
}

__attribute__((used, visibility("hidden"))) void hindcast_rank_keep_mask(struct __jmp_buf_tag* place) {
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  *kept_mask(place) = blocked.__val[0];
}

/* libc's function returns to the caller of this one, now and later. */
__asm__(
    "        .text\n"
    "        .weak __sigsetjmp\n"
    "        .hidden __sigsetjmp\n"
    "        .type __sigsetjmp, @function\n"
    "__sigsetjmp:\n"
    "        test %esi, %esi\n"
    "        jne 1f\n"
    "        mov _setjmp@GOTPCREL(%rip), %r11\n"
    "        jmp *%r11\n"
    "1:      push %rdi\n"
    "        call hindcast_rank_keep_mask\n"
    "        pop %rdi\n"
    "        mov setjmp@GOTPCREL(%rip), %r11\n"
    "        jmp *%r11\n"
    "        .size __sigsetjmp, .-__sigsetjmp\n");

OWN_COPY void siglongjmp(sigjmp_buf place, int value) {
  if (place->__mask_was_saved) {
    sigset_t blocked;
    sigemptyset(&blocked);
    blocked.__val[0] = *kept_mask(place);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
  }
  _longjmp(place, value);
}
OWN_COPY void longjmp(jmp_buf place, int value) { siglongjmp(place, value); }
/* With -D_FORTIFY_SOURCE. */
OWN_COPY void __longjmp_chk(jmp_buf place, int value) __attribute__((noreturn));
OWN_COPY void __longjmp_chk(jmp_buf place, int value) { siglongjmp(place, value); }

OFFER(__sigsetjmp);
OFFER(siglongjmp);
OFFER(longjmp);
OFFER(__longjmp_chk);
