/* ends RANK HOW: that rank ends in the given way, the others by returning 0; each 10 us later than the one before. */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int zero;
static int* volatile nowhere;

static void say(const char* what) { printf("rank %d: %s\n", getpid() - 1000, what); }
static void first_handler(void) { say("first handler"); }
static void second_handler(void) { say("second handler"); }
static void with_status(int status, void* argument) {
  printf("rank %d: status %d, %s\n", getpid() - 1000, status, (char*)argument);
}
__attribute__((constructor)) static void constructor(void) { say("constructor"); }
__attribute__((destructor)) static void destructor(void) { say("destructor"); }

static void handle(int signal) {
  printf("rank %d: handler of signal %d\n", getpid() - 1000, signal);
  exit(9);
}

__attribute__((noinline)) static void deep(int how) {
  if (how > 0) deep(how - 1);
  *nowhere = how;
}
__attribute__((noinline)) static int overflow(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = (char)depth;
  return overflow(depth + 1) + frame[depth % 4096];
}
__attribute__((noinline)) static int large_frame(void) {
  volatile char frame[64 << 20];
  for (size_t i = 0; i < sizeof frame; i += 4096) frame[i] = 1;
  return frame[77];
}

int main(int argc, char** argv) {
  const int rank = getpid() - 1000;
  const char* const how = argc > 2 ? argv[2] : "";
  usleep(10u * (unsigned)(rank + 1));
  if (argc < 2 || atoi(argv[1]) != rank) return 0;
  if (strncmp(how, "return", 6) == 0) return atoi(how + 6);
  if (strcmp(how, "exit") == 0) {
    atexit(first_handler);
    on_exit(with_status, "on_exit");
    atexit(second_handler);
    printf("no end of line");
    exit(3);
  }
  if (strcmp(how, "_exit") == 0) {
    atexit(first_handler);
    _exit(4);
  }
  if (strcmp(how, "quick_exit") == 0) {
    atexit(first_handler);
    at_quick_exit(second_handler);
    quick_exit(5);
  }
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "assert") == 0) assert(zero == 1);
  if (strcmp(how, "raise") == 0) raise(SIGTERM);
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGUSR1);
  if (strcmp(how, "segv") == 0) deep(2);
  if (strcmp(how, "fpe") == 0) return 7 / zero;
  if (strcmp(how, "null_call") == 0) ((void (*)(void))nowhere)();
  if (strcmp(how, "overflow") == 0) return overflow(0);
  if (strcmp(how, "large_frame") == 0) return large_frame();
  if (strcmp(how, "free_twice") == 0) {
    char* volatile block = malloc(10);
    free(block);
    free(block);
  }
  if (strcmp(how, "handled_fault") == 0) {
    signal(SIGSEGV, handle);
    deep(1);
  }
  if (strcmp(how, "handled_raise") == 0) {
    struct sigaction action = {0};
    action.sa_handler = handle;
    sigaction(SIGUSR2, &action, NULL);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    raise(SIGCHLD);
    raise(SIGUSR2);
  }
  return 99;
}
