/* Needed by library.c, and by nobody else. */
#include <stdio.h>

static int helped = 10;

__attribute__((constructor)) static void begin(void) { puts("the helper begins"); }
__attribute__((destructor)) static void end(void) { printf("the helper ends after %d\n", helped); }

int help(void) { return ++helped; }
