// A program that jumps out of the overflow of its stack, by a handler on another stack, goes on where it was.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf before;

static void jump_back(int number) { siglongjmp(before, number); }

static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

int main(void) {
  const stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
  struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigaction(SIGSEGV, &action, NULL);
  for (volatile int i = 0; i < 2; ++i) {
    if (sigsetjmp(before, 1) == 0) recurse(1);
    puts("back");
  }
}
