/* Prints what getopt and its kin make of the arguments. The same program, compiled without hindcast, is the judge.
 * options FUNCTION LETTERS ARGUMENTS...: FUNCTION is getopt, long or only. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static int flagged;
  const struct option names[] = {{"verbose", no_argument, NULL, 'v'},      {"version", no_argument, NULL, 'V'},
                                 {"output", required_argument, NULL, 'o'}, {"colour", optional_argument, NULL, 'c'},
                                 {"flag", no_argument, &flagged, 77},      {"verbatim", no_argument, NULL, 'v'},
                                 {"o", no_argument, NULL, 1000},           {NULL, 0, NULL, 0}};
  const char* const function = argv[1];
  const char* const letters = argv[2];
  argv[2] = argv[0];
  argc -= 2;
  argv += 2;
  argv[0] = "options";
  for (int round = 0; round < 2; ++round) {
    int found;
    do {
      int index = -1;
      found = strcmp(function, "getopt") == 0 ? getopt(argc, argv, letters)
              : strcmp(function, "long") == 0 ? getopt_long(argc, argv, letters, names, &index)
                                              : getopt_long_only(argc, argv, letters, names, &index);
      printf("%d arg %s ind %d opt %d index %d flag %d\n", found, optarg == NULL ? "-" : optarg, optind,
             found == '?' || found == ':' ? optopt : 0, index, flagged);
      if (getenv("STEPS") != NULL) usleep(1);
    } while (found != -1);
    for (int i = 0; i < argc; ++i) printf("%s%s", argv[i], i + 1 < argc ? " " : "\n");
    optind = round;
    opterr = 0;
  }
  return 0;
}
