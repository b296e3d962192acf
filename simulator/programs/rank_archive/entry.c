/* What makes a shared object a program: a place to start, the loader that starts it, and what hindcast looks for in it.
 */
#include <pthread.h>
#include <sys/single_threaded.h>

#include "complaints.h"
#include "environment.h"
#include "leaving.h"
#include "rank_interface.h"
#include "signals.h"

extern int main(int, char**, char**);

OWN_COPY char* program_invocation_name;
OWN_COPY char* program_invocation_short_name;
extern char* __progname __attribute__((weak, alias("program_invocation_short_name"), visibility("hidden")));
extern char* __progname_full __attribute__((weak, alias("program_invocation_name"), visibility("hidden")));

HINDCAST_EXPORTED __attribute__((used, retain)) struct hindcast_program hindcast_program = {
    HINDCAST_PROGRAM_VERSION,
    main,
    &environ,
    &program_invocation_name,
    &program_invocation_short_name,
    &__libc_single_threaded,
    exit,
    sigaction,
    hindcast_rank_has_handler,
    hindcast_rank_deliver_signal,
    hindcast_rank_handle_signal,
    pthread_exit,
    &hindcast_rank_complaints,
};

__attribute__((section(".interp"), used, retain)) static const char interpreter[] = "/lib64/ld-linux-x86-64.so.2";

/* Nothing of the program has run yet: the launcher takes its place. */
__attribute__((used, noreturn, visibility("hidden"))) void hindcast_rank_started_alone(long* stack) {
  hindcast_rank_start_alone((int)stack[0], (char**)(stack + 1));
}

__asm__(
    "        .text\n"
    "        .globl hindcast_program_entry\n"
    "        .type hindcast_program_entry, @function\n"
    "hindcast_program_entry:\n"
    "        xor %ebp, %ebp\n"
    "        mov %rsp, %rdi\n"
    "        and $-16, %rsp\n"
    "        call hindcast_rank_started_alone\n"
    "        hlt\n"
    "        .size hindcast_program_entry, .-hindcast_program_entry\n");

OFFER(program_invocation_name);
OFFER(program_invocation_short_name);
