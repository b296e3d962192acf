/* Sockets and pipes join ranks that run in turn: who waits in the system for another rank waits for ever. So a rank
 * looks, and lets simulated time go on, until it need not wait. */
#ifndef HINDCAST_DESCRIPTORS_H
#define HINDCAST_DESCRIPTORS_H

#include <sys/types.h>

int joins_ranks(int descriptor);
/* Whether the program has not made it nonblocking. If it has, the waits below return at once. */
int is_waited_for(int descriptor);
void await_readable(int descriptor);
void await_writable(int descriptor);
ssize_t write_where_there_is_room(int descriptor, const void* data, size_t bytes);

#endif
