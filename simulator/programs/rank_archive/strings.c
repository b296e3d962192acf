/* Functions that keep something of theirs from call to call, or return a pointer to it. */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY char* strtok(char* restrict string, const char* restrict delimiters) {
  static char* rest;
  return strtok_r(string, delimiters, &rest);
}

static struct tm broken_down;
static char written[64];

OWN_COPY struct tm* localtime(const time_t* time) {
  tzset();
  return localtime_r(time, &broken_down);
}
OWN_COPY struct tm* gmtime(const time_t* time) { return gmtime_r(time, &broken_down); }
OWN_COPY char* asctime(const struct tm* time) { return asctime_r(time, written); }
OWN_COPY char* ctime(const time_t* time) { return asctime_r(localtime_r(time, &broken_down), written); }

OWN_COPY struct hostent* gethostbyname(const char* name) {
  enum { bytes = 1024 };
  static struct answer {
    struct hostent host;
    char names[bytes];
  } * answer;
  if (answer == NULL) answer = malloc(sizeof *answer);
  struct hostent* found = NULL;
  int error = 0;
  if (answer == NULL) return NULL;
  gethostbyname_r(hindcast_rank_known_host(name), &answer->host, answer->names, bytes, &found, &error);
  h_errno = error;
  return found;
}

OFFER(gethostbyname);
OFFER(strtok);
OFFER(localtime);
OFFER(gmtime);
OFFER(asctime);
OFFER(ctime);
