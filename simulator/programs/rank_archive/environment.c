/* Each rank's environment: it starts as the launcher's. */
#include "environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

OWN_COPY char** environ;
extern char** __environ __attribute__((weak, alias("environ"), visibility("hidden")));
extern char** _environ __attribute__((weak, alias("environ"), visibility("hidden")));

/* The list that we have made, if the program has not put another in its place. */
static char** own_list;

static char** find(const char* name, size_t length) {
  if (environ == NULL) return NULL;
  for (char** variable = environ; *variable != NULL; ++variable)
    if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=') return variable;
  return NULL;
}

static int is_name(const char* name) { return name != NULL && *name != '\0' && strchr(name, '=') == NULL; }

static size_t count(void) {
  size_t variables = 0;
  while (environ != NULL && environ[variables] != NULL) ++variables;
  return variables;
}

/* `assignment` becomes a variable, in place of the one of that name. */
static int put(char* assignment, size_t name_length) {
  char** const old = find(assignment, name_length);
  if (old != NULL) {
    *old = assignment;
    return 0;
  }
  const size_t variables = count();
  char** const longer = realloc(environ == own_list ? own_list : NULL, (variables + 2) * sizeof *longer);
  if (longer == NULL) return -1;
  if (environ != own_list && variables > 0) memcpy(longer, environ, variables * sizeof *longer);
  longer[variables] = assignment;
  longer[variables + 1] = NULL;
  own_list = environ = longer;
  return 0;
}

OWN_COPY char* getenv(const char* name) {
  const size_t length = strlen(name);
  char** const variable = find(name, length);
  return variable != NULL ? *variable + length + 1 : NULL;
}

OWN_COPY char* secure_getenv(const char* name) { return getenv(name); }

OWN_COPY int setenv(const char* name, const char* value, int overwrite) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  const size_t length = strlen(name);
  if (!overwrite && find(name, length) != NULL) return 0;
  char* const assignment = malloc(length + strlen(value) + 2);
  if (assignment == NULL) return -1;
  memcpy(assignment, name, length);
  assignment[length] = '=';
  strcpy(assignment + length + 1, value);
  return put(assignment, length);
}

OWN_COPY int unsetenv(const char* name) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  const size_t length = strlen(name);
  for (char** variable; (variable = find(name, length)) != NULL;)
    for (; *variable != NULL; ++variable) variable[0] = variable[1];
  return 0;
}

OWN_COPY int putenv(char* assignment) {
  const char* const equals = strchr(assignment, '=');
  return equals != NULL ? put(assignment, (size_t)(equals - assignment)) : unsetenv(assignment);
}

OWN_COPY int clearenv(void) {
  environ = NULL;
  return 0;
}

OFFER(environ);
OFFER(getenv);
OFFER(secure_getenv);
OFFER(setenv);
OFFER(unsetenv);
OFFER(putenv);
OFFER(clearenv);
