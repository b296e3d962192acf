/* The ways out of a program. A rank runs its own handlers, and leaves the others running. */
#include "leaving.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "rank_interface.h"
#include "signals.h"

struct handler {
  enum { nothing, without_argument, with_argument, with_status } kind;
  union {
    void (*plain)(void);
    void (*with_argument)(void*);
    void (*with_status)(int, void*);
  } call;
  void* argument;
  void* object; /* the library whose it is, or the program */
};

struct list {
  struct handler* handlers;
  size_t count;
  size_t capacity;
};

static struct list at_exit;
static struct list at_quick_exit_list;
static struct list at_thread_exit; /* destructors of the main thread's thread-local variables */

static int add(struct list* list, struct handler handler) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
    struct handler* const longer = realloc(list->handlers, capacity * sizeof *longer);
    if (longer == NULL) return -1;
    list->handlers = longer;
    list->capacity = capacity;
  }
  list->handlers[list->count++] = handler;
  return 0;
}

static void run(struct handler handler, int status) {
  if (handler.kind == without_argument) handler.call.plain();
  if (handler.kind == with_argument) handler.call.with_argument(handler.argument);
  if (handler.kind == with_status) handler.call.with_status(status, handler.argument);
}

/* Last in, first out; a handler may add others, or leave for good. */
static void run_all(struct list* list, int status) {
  while (list->count > 0) run(list->handlers[--list->count], status);
}

/* Runs the handlers of one library, which goes. */
static void run_those_of(struct list* list, const void* object) {
  for (size_t i = list->count; i-- > 0;) {
    const struct handler handler = list->handlers[i];
    if (handler.object != object) continue;
    list->handlers[i].kind = nothing;
    list->handlers[i].object = NULL;
    run(handler, 0);
  }
}

OWN_COPY int atexit(void (*function)(void)) {
  return add(&at_exit, (struct handler){without_argument, {.plain = function}, NULL, NULL});
}

OWN_COPY int on_exit(void (*function)(int, void*), void* argument) {
  return add(&at_exit, (struct handler){with_status, {.with_status = function}, argument, NULL});
}

OWN_COPY int at_quick_exit(void (*function)(void)) {
  return add(&at_quick_exit_list, (struct handler){without_argument, {.plain = function}, NULL, NULL});
}

/* Of the C++ ABI: destructors of static and of thread-local variables. */
OWN_COPY int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  return add(&at_exit, (struct handler){with_argument, {.with_argument = function}, argument, object});
}

OWN_COPY int __cxa_at_quick_exit(void (*function)(void*), void* object) {
  return add(&at_quick_exit_list, (struct handler){with_argument, {.with_argument = function}, NULL, object});
}

OWN_COPY int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* object) {
  if (hindcast_thread_at_exit(function, argument, object)) return 0;
  return add(&at_thread_exit, (struct handler){with_argument, {.with_argument = function}, argument, object});
}

OWN_COPY int __cxa_thread_atexit(void (*function)(void*), void* argument, void* object) {
  return __cxa_thread_atexit_impl(function, argument, object);
}

/* It is called for a library that is closed in mid-run, and for all when exit() has run everything. */
OWN_COPY void __cxa_finalize(void* object) { run_those_of(&at_exit, object); }

OWN_COPY void exit(int status) {
  run_all(&at_thread_exit, status);
  run_all(&at_exit, status);
  hindcast_rank_run_finalisers();
  hindcast_rank_leave(status);
}

OWN_COPY void quick_exit(int status) {
  run_all(&at_quick_exit_list, status);
  hindcast_rank_leave(status);
}

OWN_COPY void _exit(int status) { hindcast_rank_leave(status); }
OWN_COPY void _Exit(int status) { hindcast_rank_leave(status); }

OWN_COPY void abort(void) {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &own, NULL);
  hindcast_rank_deliver_signal(SIGABRT, NULL);
  hindcast_rank_die(SIGABRT);
}

OWN_COPY void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
  extern char* program_invocation_short_name;
  fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line, function,
          assertion);
  abort();
}

OFFER(atexit);
OFFER(on_exit);
OFFER(at_quick_exit);
OFFER(__cxa_atexit);
OFFER(__cxa_at_quick_exit);
OFFER(__cxa_thread_atexit_impl);
OFFER(__cxa_thread_atexit);
OFFER(__cxa_finalize);
OFFER(exit);
OFFER(quick_exit);
OFFER(_exit);
OFFER(_Exit);
OFFER(abort);
OFFER(__assert_fail);
