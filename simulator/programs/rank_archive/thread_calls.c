/* The calls of thread_calls.h, each a jump to the library. */

#define CALL(name)                                           \
  "        .weak " #name                                     \
  "\n"                                                       \
  "        .hidden " #name                                   \
  "\n"                                                       \
  "        .type " #name ", @function\n" #name               \
  ":\n"                                                      \
  "        mov hindcast_thread_calls@GOTPCREL(%rip), %r11\n" \
  "        jmp *hindcast_next_call(%r11)\n"                  \
  "        .size " #name ", .-" #name                        \
  "\n"                                                       \
  "        .globl hindcast_own_" #name                       \
  "\n"                                                       \
  "        .set hindcast_own_" #name ", " #name              \
  "\n"                                                       \
  "        .set hindcast_next_call, hindcast_next_call + 8\n"

__asm__(
    "        .text\n"
    "        .set hindcast_next_call, 0\n"
#include "thread_calls.h"
);

/* Other names of the same. */
__asm__(
    "        .weak __pthread_key_create\n"
    "        .hidden __pthread_key_create\n"
    "        .set __pthread_key_create, pthread_key_create\n"
    "        .weak thrd_current\n"
    "        .hidden thrd_current\n"
    "        .set thrd_current, pthread_self\n"
    "        .globl hindcast_own_thrd_current\n"
    "        .set hindcast_own_thrd_current, pthread_self\n"
    "        .weak tss_get\n"
    "        .hidden tss_get\n"
    "        .set tss_get, pthread_getspecific\n"
    "        .globl hindcast_own_tss_get\n"
    "        .set hindcast_own_tss_get, pthread_getspecific\n"
    "        .weak call_once\n"
    "        .hidden call_once\n"
    "        .set call_once, pthread_once\n"
    "        .globl hindcast_own_call_once\n"
    "        .set hindcast_own_call_once, pthread_once\n"
    "        .weak get_nprocs_conf\n"
    "        .hidden get_nprocs_conf\n"
    "        .set get_nprocs_conf, get_nprocs\n"
    "        .globl hindcast_own_get_nprocs_conf\n"
    "        .set hindcast_own_get_nprocs_conf, get_nprocs\n");
