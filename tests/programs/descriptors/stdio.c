/* Streams of the C library on a pipe between two threads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../threads/wrong.h"

static int ends[2];

static void* reads(void* unused) {
  FILE* in = fdopen(ends[0], "r");
  char line[64], expected[64];
  for (int i = 0; i < 20000; ++i) {
    snprintf(expected, sizeof expected, "line %d of many\n", i);
    CHECK(fgets(line, sizeof line, in) != NULL && strcmp(line, expected) == 0);
  }
  CHECK(fgets(line, sizeof line, in) == NULL && feof(in));
  CHECK_IS(fileno(in), ends[0]);
  fclose(in);
  return unused;
}

int main(void) {
  pthread_t thread;
  CHECK_IS(pipe(ends), 0);
  CHECK_IS(pthread_create(&thread, NULL, reads, NULL), 0);
  sleep_us(1000);
  FILE* out = fdopen(ends[1], "w");
  for (int i = 0; i < 20000; ++i) fprintf(out, "line %d of many\n", i);
  CHECK_IS(fclose(out), 0);
  CHECK_IS(pthread_join(thread, NULL), 0);
  puts("right");
  return 0;
}
