/* Whether the rank has had one thread only so far. The C++ library asks it, and then does without what threads need of
 * each other. libc's own answer is about the threads of the simulation. */
#include <sys/single_threaded.h>

#include "own_copy.h"

OWN_COPY char __libc_single_threaded = 1;
OFFER(__libc_single_threaded);
