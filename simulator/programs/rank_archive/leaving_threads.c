/* The way out of a thread: through the handlers of pthread_cleanup_push, and the destructors of C++'s frames. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#include <unwind.h>

#include "own_copy.h"
#include "rank_interface.h"

/* There is no unwinder in a program that needs none: then no frame wants to know. */
extern __typeof__(_Unwind_ForcedUnwind) _Unwind_ForcedUnwind __attribute__((weak));
extern __typeof__(_Unwind_GetCFA) _Unwind_GetCFA __attribute__((weak));

/* A handler of pthread_cleanup_push is a place to jump to, in a frame of the thread's. It is the beginning of a
 * jmp_buf, as much of one as a jump without a mask of signals reads, and the compiler takes it that all of one is read.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overflow"
static void jump_to_last(void** cleanups) {
  __pthread_unwind_buf_t* const last = *cleanups;
  _longjmp((struct __jmp_buf_tag*)last->__cancel_jmp_buf, 1);
}
#pragma GCC diagnostic pop

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception* exception, struct _Unwind_Context* context, void* cleanups) {
  (void)version;
  (void)class;
  (void)exception;
  void** const all = cleanups;
  const int is_end = (actions & _UA_END_OF_STACK) != 0;
  /* The frame of the last handler has just been passed; it is still as it was. */
  if (*all != NULL && (is_end || _Unwind_GetCFA(context) > (_Unwind_Word)*all)) jump_to_last(all);
  if (is_end) hindcast_thread_has_left();
  return _URC_NO_REASON;
}

static void exception_is_swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception* exception) {
  (void)reason;
  (void)exception;
  static const char text[] = "FATAL: exception not rethrown\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
  abort();
}

static void __attribute__((noreturn)) unwind(struct hindcast_unwinding unwinding) {
  if (_Unwind_ForcedUnwind != NULL) {
    struct _Unwind_Exception* const exception = unwinding.exception;
    exception->exception_class = 0;
    exception->exception_cleanup = exception_is_swallowed;
    _Unwind_ForcedUnwind(exception, stop, unwinding.cleanups);
  }
  if (*unwinding.cleanups != NULL) jump_to_last(unwinding.cleanups);
  hindcast_thread_has_left();
}

OWN_COPY void pthread_exit(void* result) { unwind(hindcast_thread_leaves(result)); }
OWN_COPY void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }

/* What pthread_cleanup_push and pthread_cleanup_pop are made of. */
OWN_COPY void __pthread_register_cancel(__pthread_unwind_buf_t* handler) {
  void** const cleanups = hindcast_thread_cleanups();
  handler->__pad[0] = *cleanups;
  *cleanups = handler;
}
OWN_COPY void __pthread_unregister_cancel(__pthread_unwind_buf_t* handler) {
  *hindcast_thread_cleanups() = handler->__pad[0];
}
OWN_COPY void __pthread_unwind_next(__pthread_unwind_buf_t* handler) {
  __pthread_unregister_cancel(handler);
  unwind(hindcast_thread_goes_on_leaving());
}
OWN_COPY void __pthread_register_cancel_defer(__pthread_unwind_buf_t* handler) {
  int before;
  __pthread_register_cancel(handler);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
  handler->__pad[1] = (void*)(intptr_t)before;
}
OWN_COPY void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* handler) {
  __pthread_unregister_cancel(handler);
  pthread_setcanceltype((int)(intptr_t)handler->__pad[1], NULL);
}

OWN_COPY int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
OWN_COPY int thrd_equal(thrd_t one, thrd_t other) { return one == other; }

/* All processors of a node are alike. */
OWN_COPY int sched_getcpu(void) { return 0; }
OWN_COPY int getcpu(unsigned* processor, unsigned* node) {
  if (processor != NULL) *processor = 0;
  if (node != NULL) *node = 0;
  return 0;
}
OWN_COPY pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

OFFER(pthread_exit);
OFFER(thrd_exit);
OFFER(__pthread_register_cancel);
OFFER(__pthread_unregister_cancel);
OFFER(__pthread_unwind_next);
OFFER(__pthread_register_cancel_defer);
OFFER(__pthread_unregister_cancel_restore);
OFFER(pthread_equal);
OFFER(thrd_equal);
OFFER(sched_getcpu);
OFFER(getcpu);
OFFER(gettid);
