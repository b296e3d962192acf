/* argp_parse: libc's own, which is to look at this program's variables, and to leave this program when it exits. */
#include <argp.h>
#include <sysexits.h>

#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY const char* argp_program_version = NULL;
OWN_COPY const char* argp_program_bug_address = NULL;
OWN_COPY void (*argp_program_version_hook)(FILE*, struct argp_state*) = NULL;
OWN_COPY error_t argp_err_exit_status = EX_USAGE;

OWN_COPY error_t argp_parse(const struct argp* restrict parser, int argc, char** restrict argv, unsigned flags,
                            int* restrict index, void* restrict input) {
  const struct hindcast_argument_variables variables = {argp_program_version, argp_program_bug_address,
                                                        argp_program_version_hook, argp_err_exit_status};
  return hindcast_rank_parse_arguments(&variables, parser, argc, argv, flags, index, input);
}

OFFER(argp_program_version);
OFFER(argp_program_bug_address);
OFFER(argp_program_version_hook);
OFFER(argp_err_exit_status);
OFFER(argp_parse);
