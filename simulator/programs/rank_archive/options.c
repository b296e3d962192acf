/* getopt, getopt_long and getopt_long_only, as glibc has them: arguments that are no options are moved behind those that
 * are, unless the option string begins with '+' or POSIXLY_CORRECT is set; with '-' they are options of value 1. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_copy.h"

OWN_COPY char* optarg;
OWN_COPY int optind = 1, opterr = 1, optopt = '?';

static char* next_letter;            /* in an argument of several options, what is left of it */
static int first_other, last_other;  /* argv[first_other, last_other) are no options, and were passed over */
static enum { require_order, permute, return_in_order } ordering;

struct call {
  int argc;
  char** argv;
  const char* letters;
  const struct option* names;
  int* name_index;
  int one_dash_will_do;
  int quiet;
};

static void reverse(char** argv, int begin, int end) {
  while (begin < --end) {
    char* const swapped = argv[begin];
    argv[begin++] = argv[end];
    argv[end] = swapped;
  }
}

/* What was passed over changes places with the options found since, each keeping its order. */
static void move_others_behind(char** argv) {
  reverse(argv, first_other, last_other);
  reverse(argv, last_other, optind);
  reverse(argv, first_other, optind);
  first_other += optind - last_other;
  last_other = optind;
}

static int is_option(const char* argument) { return argument[0] == '-' && argument[1] != '\0'; }

static void start(const struct call* call) {
  if (optind == 0) optind = 1;
  first_other = last_other = optind;
  next_letter = NULL;
  ordering = permute;
  if (call->letters[0] == '-') ordering = return_in_order;
  if (call->letters[0] == '+' || (ordering == permute && getenv("POSIXLY_CORRECT") != NULL)) ordering = require_order;
}

static int missing_argument(const struct call* call) { return call->letters[0] == ':' ? ':' : '?'; }

static int one_letter(struct call* call) {
  char** const argv = call->argv;
  const char letter = *next_letter++;
  const char* const known = letter == ':' || letter == ';' ? NULL : strchr(call->letters, letter);
  const int is_last = *next_letter == '\0';
  if (is_last) ++optind;
  if (known == NULL) {
    if (!call->quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
    optopt = letter;
    return '?';
  }
  if (known[1] != ':') return letter;
  const int is_optional = known[2] == ':';
  if (!is_last) {
    optarg = next_letter;
    ++optind;
  } else if (!is_optional && optind == call->argc) {
    if (!call->quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
    optopt = letter;
    next_letter = NULL;
    return missing_argument(call);
  } else if (!is_optional) {
    optarg = argv[optind++];
  }
  next_letter = NULL;
  return letter;
}

static int means_another(const struct call* call, const struct option* one, const struct option* other) {
  return call->one_dash_will_do || one->has_arg != other->has_arg || one->flag != other->flag || one->val != other->val;
}

/* The option of that name, or the only one that it begins (or several that mean the same); -1: none, -2: several. */
static int find_name(const struct call* call, const char* name, size_t length) {
  int found = -1;
  int is_ambiguous = 0;
  for (int i = 0; call->names[i].name != NULL; ++i) {
    const struct option* const candidate = &call->names[i];
    if (strncmp(candidate->name, name, length) != 0) continue;
    if (strlen(candidate->name) == length) return i;
    if (found < 0)
      found = i;
    else if (means_another(call, &call->names[found], candidate))
      is_ambiguous = 1;
  }
  return is_ambiguous ? -2 : found;
}

static void complain_of_ambiguity(const struct call* call, const char* prefix, const char* name, size_t length) {
  const struct option* first = NULL;
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, name);
  for (const struct option* option = call->names; option->name != NULL; ++option) {
    if (strncmp(option->name, name, length) != 0) continue;
    if (first == NULL || means_another(call, first, option)) fprintf(stderr, " '%s%s'", prefix, option->name);
    if (first == NULL) first = option;
  }
  fprintf(stderr, "\n");
}

/* -1: it may still be letters. */
static int long_name(struct call* call, const char* prefix, const char* name) {
  const size_t length = strcspn(name, "=");
  const int found = find_name(call, name, length);
  if (found == -1) {
    if (call->one_dash_will_do && call->argv[optind][1] != '-' && strchr(call->letters, *name) != NULL) return -1;
    if (!call->quiet) fprintf(stderr, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, name);
  }
  if (found == -2 && !call->quiet) complain_of_ambiguity(call, prefix, name, length);
  next_letter = NULL;
  ++optind;
  optopt = 0;
  if (found < 0) return '?';
  const struct option* const option = &call->names[found];
  if (name[length] == '=') {
    if (option->has_arg == no_argument) {
      if (!call->quiet)
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix, option->name);
      optopt = option->val;
      return '?';
    }
    optarg = (char*)name + length + 1;
  } else if (option->has_arg == required_argument) {
    if (optind == call->argc) {
      if (!call->quiet)
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix, option->name);
      optopt = option->val;
      return missing_argument(call);
    }
    optarg = call->argv[optind++];
  }
  if (call->name_index != NULL) *call->name_index = found;
  if (option->flag == NULL) return option->val;
  *option->flag = option->val;
  return 0;
}

/* Steps over what is no option. Returns whether an option follows at argv[optind]. */
static int go_to_next_option(const struct call* call) {
  char** const argv = call->argv;
  if (last_other > optind) last_other = optind;
  if (first_other > optind) first_other = optind;
  if (ordering == permute) {
    if (first_other != last_other && last_other != optind)
      move_others_behind(argv);
    else if (last_other != optind)
      first_other = optind;
    while (optind < call->argc && !is_option(argv[optind])) ++optind;
    last_other = optind;
  }
  if (optind != call->argc && strcmp(argv[optind], "--") == 0) {
    ++optind;
    if (first_other != last_other && last_other != optind)
      move_others_behind(argv);
    else if (first_other == last_other)
      first_other = optind;
    last_other = call->argc;
    optind = call->argc;
  }
  if (optind == call->argc) {
    if (first_other != last_other) optind = first_other;
    return 0;
  }
  return 1;
}

static int next_option(struct call call) {
  static int has_started;
  if (call.argc < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !has_started) start(&call);
  has_started = 1;
  if (call.letters[0] == '-' || call.letters[0] == '+') ++call.letters;
  call.quiet = opterr == 0 || call.letters[0] == ':';
  if (next_letter == NULL || *next_letter == '\0') {
    if (!go_to_next_option(&call)) return -1;
    char* const argument = call.argv[optind];
    if (!is_option(argument)) {
      if (ordering == require_order) return -1;
      optarg = argument;
      ++optind;
      return 1;
    }
    if (call.names != NULL && argument[1] == '-') return long_name(&call, "--", argument + 2);
    const int may_be_long =
        call.names != NULL && call.one_dash_will_do && (argument[2] != '\0' || strchr(call.letters, argument[1]) == NULL);
    if (may_be_long) {
      const int result = long_name(&call, "-", argument + 1);
      if (result != -1) return result;
    }
    next_letter = argument + 1;
  }
  return one_letter(&call);
}

OWN_COPY int getopt(int argc, char* const argv[], const char* letters) {
  return next_option((struct call){argc, (char**)argv, letters, NULL, NULL, 0, 0});
}

OWN_COPY int getopt_long(int argc, char* const argv[], const char* letters, const struct option* names, int* index) {
  return next_option((struct call){argc, (char**)argv, letters, names, index, 0, 0});
}

OWN_COPY int getopt_long_only(int argc, char* const argv[], const char* letters, const struct option* names,
                              int* index) {
  return next_option((struct call){argc, (char**)argv, letters, names, index, 1, 0});
}
