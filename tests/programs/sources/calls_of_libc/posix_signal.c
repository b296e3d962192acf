// signal() as a program has it that is compiled for plain POSIX, and a signal with a value.
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void say(int number) { printf("signal %d\n", number); }

static void say_value(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d with %d\n", number, info->si_value.sival_int);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = say_value, .sa_flags = SA_SIGINFO};
  signal(SIGUSR1, say);
  raise(SIGUSR1);
  sigaction(SIGUSR2, &action, NULL);
  sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 77});
}
