/* What is blocked while a signal's handler runs, and the calls that a handler ends. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "wrong.h"

/* Signals and looks take a little, and clocks show whole microseconds. */
#define CHECK_ABOUT(us, expected) CHECK(labs((us) - (expected)) <= 200)

static char said[64];
static void say(const char* text) { strcat(said, text); }

static void sends_others(int signal) {
  say("(");
  raise(signal);
  raise(SIGUSR2);
  raise(SIGTERM);
  say(")");
}
static void says_number(int signal) { say(signal == SIGUSR2 ? "2" : "T"); }

static void set(int signal, void (*handler)(int), int flags, int blocked) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigemptyset(&action.sa_mask);
  if (blocked != 0) sigaddset(&action.sa_mask, blocked);
  CHECK_IS(sigaction(signal, &action, NULL), 0);
}

static int is_blocked(int signal) {
  sigset_t blocked;
  CHECK_IS(sigprocmask(SIG_BLOCK, NULL, &blocked), 0);
  return sigismember(&blocked, signal);
}

static int depth;
static void sends_itself_once(int signal) {
  say("(");
  if (depth++ == 0) raise(signal);
  say(")");
}

static void test_masks(void) {
  set(SIGUSR2, says_number, 0, 0);
  set(SIGTERM, says_number, 0, 0);
  set(SIGUSR1, sends_others, SA_RESETHAND, SIGTERM);
  struct sigaction action;
  signal(SIGCHLD, SIG_DFL);
  set(SIGCHLD, sends_others, SA_RESETHAND, SIGTERM);
  raise(SIGCHLD); /* once more while it is blocked, and by default it does nothing */
  CHECK(strcmp(said, "(2)T") == 0);
  CHECK_IS(sigaction(SIGCHLD, NULL, &action), 0);
  CHECK(action.sa_handler == SIG_DFL);
  CHECK(!is_blocked(SIGTERM) && !is_blocked(SIGCHLD));
  said[0] = '\0';
  set(SIGUSR1, sends_itself_once, 0, 0);
  raise(SIGUSR1);
  CHECK(strcmp(said, "()()") == 0);
  said[0] = '\0';
  depth = 0;
  set(SIGUSR1, sends_itself_once, SA_NODEFER, 0);
  raise(SIGUSR1);
  CHECK(strcmp(said, "(())") == 0);
}

static volatile int values[8], count_of_values;
static void keep_value(int signal, siginfo_t* info, void* context) {
  (void)signal;
  CHECK(context != NULL);
  values[count_of_values++] = info->si_value.sival_int;
}

/* Signals for real time are queued with their values, and each sigsuspend handles one. */
static void test_queue(void) {
  struct sigaction action = {.sa_sigaction = keep_value, .sa_flags = SA_SIGINFO};
  sigset_t all, before, one;
  siginfo_t info;
  sigfillset(&all);
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN + 1);
  CHECK_IS(sigaction(SIGRTMIN, &action, NULL), 0);
  CHECK_IS(sigprocmask(SIG_SETMASK, &all, &before), 0);
  for (int i = 1; i <= 4; ++i) {
    CHECK_IS(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i}), 0);
    CHECK_IS(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 10 * i}), 0);
  }
  for (int i = 1; i <= 4; ++i) {
    CHECK_IS(sigwaitinfo(&one, &info), SIGRTMIN + 1);
    CHECK_IS(info.si_value.sival_int, 10 * i);
    CHECK_IS(info.si_code, SI_QUEUE);
  }
  for (int i = 1; i <= 3; ++i) {
    CHECK(sigsuspend(&before) == -1 && errno == EINTR);
    CHECK_IS(count_of_values, i);
    CHECK_IS(values[i - 1], i);
  }
  CHECK_IS(sigprocmask(SIG_SETMASK, &before, NULL), 0);
  CHECK_IS(count_of_values, 4);
}

static sigjmp_buf place;
static void jumps(int signal) { siglongjmp(place, signal); }

/* sigsetjmp keeps the mask, setjmp does not. */
static void test_jumps(void) {
  set(SIGUSR1, jumps, 0, SIGUSR2);
  for (volatile int i = 0; i < 3; ++i) {
    if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
    CHECK(!is_blocked(SIGUSR1) && !is_blocked(SIGUSR2));
  }
  if (sigsetjmp(place, 0) == 0) raise(SIGUSR1);
  CHECK(is_blocked(SIGUSR1) && is_blocked(SIGUSR2));
  sigset_t none;
  sigemptyset(&none);
  CHECK_IS(sigprocmask(SIG_SETMASK, &none, NULL), 0);
  set(SIGSEGV, jumps, 0, 0);
  for (volatile int i = 0; i < 3; ++i)
    if (sigsetjmp(place, 1) == 0) *(volatile int*)8 = 1;
}

static volatile int handled;
static void counts(int signal) {
  (void)signal;
  ++handled;
}

static void alarm_after(long us) {
  const struct itimerval time = {.it_value = {us / 1000000, us % 1000000}};
  CHECK_IS(setitimer(ITIMER_REAL, &time, NULL), 0);
}

static void* writes_later(void* end) {
  sleep_us(3000000);
  CHECK_IS(write(*(int*)end, "x", 1), 1);
  return NULL;
}
static void* posts_later(void* semaphore) {
  sleep_us(3000000);
  CHECK_IS(sem_post(semaphore), 0);
  return NULL;
}

/* Whoever sleeps or looks is ended in any case, who reads unless the handler has SA_RESTART. */
static void test_ended_calls(int flags) {
  int ends[2];
  char byte;
  pthread_t thread;
  sem_t semaphore;
  struct timespec time = {10, 0}, left;
  sigset_t none;
  sigemptyset(&none);
  CHECK_IS(pipe(ends), 0);
  struct pollfd one = {.fd = ends[0], .events = POLLIN};
  set(SIGALRM, counts, flags, 0);
  handled = 0;
  alarm(2);
  CHECK_IS(sleep(10), 7); /* whole seconds that are left */
  alarm(2);
  CHECK(nanosleep(&time, &left) == -1 && errno == EINTR);
  CHECK_IS(left.tv_sec * 10 + (left.tv_nsec + 50000000) / 100000000, 80);
  alarm_after(500);
  CHECK(usleep(1000) == -1 && errno == EINTR);
  alarm_after(500);
  CHECK(poll(&one, 1, -1) == -1 && errno == EINTR);
  alarm_after(500);
  CHECK(ppoll(&one, 1, NULL, &none) == -1 && errno == EINTR);
  alarm_after(500);
  CHECK(select(0, NULL, NULL, NULL, NULL) == -1 && errno == EINTR);
  CHECK_IS(handled, 6);
  CHECK_IS(pthread_create(&thread, NULL, writes_later, &ends[1]), 0);
  alarm(1);
  errno = 0;
  ssize_t count = read(ends[0], &byte, 1);
  CHECK_IS(count, (flags & SA_RESTART) != 0 ? 1 : -1);
  CHECK_IS(errno, (flags & SA_RESTART) != 0 ? 0 : EINTR);
  CHECK_IS(pthread_join(thread, NULL), 0);
  CHECK_IS(sem_init(&semaphore, 0, 0), 0);
  CHECK_IS(pthread_create(&thread, NULL, posts_later, &semaphore), 0);
  alarm(1);
  CHECK_IS(sem_wait(&semaphore), (flags & SA_RESTART) != 0 ? 0 : -1);
  CHECK_IS(pthread_join(thread, NULL), 0);
  CHECK_IS(handled, 8);
}

/* A call that waits may be left by a jump, too. */
static void test_left_calls(void) {
  int ends[2];
  char byte;
  CHECK_IS(pipe(ends), 0);
  set(SIGALRM, jumps, 0, 0);
  const long began = now_us();
  for (volatile int i = 0; i < 3; ++i) {
    if (sigsetjmp(place, 1) != 0) continue;
    alarm(1);
    read(ends[0], &byte, 1);
    CHECK(0);
  }
  CHECK_ABOUT(now_us() - began, 3000000);
}

int main(void) {
  test_masks();
  test_queue();
  test_jumps();
  test_ended_calls(0);
  test_ended_calls(SA_RESTART);
  test_left_calls();
  puts("right");
  return 0;
}
