/* Sockets, pipes and the like join ranks, and threads of a rank, that run in turn: who waits in the system for another
 * one waits for ever. So a rank waits in the simulator until it need not wait. */
#ifndef HINDCAST_DESCRIPTORS_H
#define HINDCAST_DESCRIPTORS_H

#include <sys/types.h>

/* Whether it is ready now, or the program does not wait for it; else errno says what has ended the wait. */
int await_readable(const char* call, int descriptor);
int await_writable(const char* call, int descriptor);
/* What the system's call has given, which has changed what a descriptor is ready for. */
ssize_t changed(ssize_t result);

#endif
