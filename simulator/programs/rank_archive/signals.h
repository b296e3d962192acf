#ifndef HINDCAST_SIGNALS_H
#define HINDCAST_SIGNALS_H

#include <signal.h>

#include "own_copy.h"

/* Whether the program has a handler for a signal, be it one that ignores it. */
__attribute__((visibility("hidden"))) int hindcast_rank_has_handler(int signal);
/* Runs the program's handler for a signal, if it has one, and gives what that does to calls that wait; otherwise 0. */
__attribute__((visibility("hidden"))) int hindcast_rank_deliver_signal(int signal, siginfo_t* info);
/* The same, and what happens by default if it has none. */
__attribute__((visibility("hidden"))) int hindcast_rank_handle_signal(int signal, siginfo_t* info);

#endif
