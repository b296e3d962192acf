/* getopt, getopt_long and getopt_long_only: the rank has the variables, the library does the work (option_parser.cpp).
 */
#include <getopt.h>
#include <stdlib.h>

#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY char* optarg;
OWN_COPY int optind = 1, opterr = 1, optopt = '?';

static struct hindcast_option_state state = {&optarg, &optind, &opterr, &optopt, NULL, 0, 0, 0};

static int next_option(int argc, char** argv, const char* letters, const struct option* names, int* index,
                       int one_dash_will_do) {
  const struct hindcast_option_call call = {
      argc, argv, letters, names, index, one_dash_will_do, getenv("POSIXLY_CORRECT") != NULL};
  return hindcast_rank_next_option(&state, &call);
}

OWN_COPY int getopt(int argc, char* const argv[], const char* letters) {
  return next_option(argc, (char**)argv, letters, NULL, NULL, 0);
}

OWN_COPY int getopt_long(int argc, char* const argv[], const char* letters, const struct option* names, int* index) {
  return next_option(argc, (char**)argv, letters, names, index, 0);
}

OWN_COPY int getopt_long_only(int argc, char* const argv[], const char* letters, const struct option* names,
                              int* index) {
  return next_option(argc, (char**)argv, letters, names, index, 1);
}

OFFER(optarg);
OFFER(optind);
OFFER(opterr);
OFFER(optopt);
OFFER(getopt);
OFFER(getopt_long);
OFFER(getopt_long_only);
