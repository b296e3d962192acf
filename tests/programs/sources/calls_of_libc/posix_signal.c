// signal() as a program has it that is compiled for plain POSIX, and a signal with a value.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void say(int number) { printf("signal %d\n", number); }

static void say_value(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d with %d\n", number, info->si_value.sival_int);
}

int main(void) {
  if (errno != 0) return 1;     // as a program begins
  if (raise(0) != 0) return 2;  // which asks only whether it could be sent
  struct sigaction action = {.sa_sigaction = say_value, .sa_flags = SA_SIGINFO};
  signal(SIGUSR1, say);
  raise(SIGUSR1);
  sigaction(SIGUSR2, &action, NULL);
  sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 77});
}
