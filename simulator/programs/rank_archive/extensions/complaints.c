/* What err, error and their kin look at of the program's. The library says what they have to say (complaints.cpp). */
#include "complaints.h"

#include <error.h>
#include <stddef.h>

#include "own_copy.h"

OWN_COPY unsigned error_message_count = 0;
OWN_COPY int error_one_per_line = 0;
OWN_COPY void (*error_print_progname)(void) = NULL;

struct hindcast_complaints hindcast_rank_complaints = {&error_message_count, &error_one_per_line, &error_print_progname,
                                                       NULL, 0};

OFFER(error_message_count);
OFFER(error_one_per_line);
OFFER(error_print_progname);
