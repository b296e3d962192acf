/* Programs that a rank starts have the rank's environment. */
#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY int system(const char* command) { return hindcast_rank_system(environ, command); }
OWN_COPY FILE* popen(const char* command, const char* mode) { return hindcast_rank_popen(environ, command, mode); }

OFFER(system);
OFFER(popen);
