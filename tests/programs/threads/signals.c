/* Signals between threads: sent, blocked, waited for. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "wrong.h"

static volatile pthread_t handled_on;
static volatile int handled, last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int may_go;

static void handle(int signal) {
  handled_on = pthread_self();
  last = signal;
  ++handled;
}

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!may_go) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

/* A handler runs on the thread that it has been sent to, which then goes on waiting. */
static void test_kill(void) {
  pthread_t thread;
  CHECK_IS(pthread_create(&thread, NULL, waits, NULL), 0);
  sleep_us(10);
  CHECK_IS(pthread_kill(thread, 0), 0);
  CHECK_IS(pthread_kill(thread, NSIG), EINVAL);
  CHECK_IS(pthread_kill(thread, SIGUSR1), 0);
  sleep_us(10);
  CHECK_IS(handled, 1);
  CHECK(pthread_equal(handled_on, thread));
  pthread_mutex_lock(&mutex);
  may_go = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  CHECK_IS(pthread_join(thread, NULL), 0);
  CHECK_IS(pthread_kill(pthread_self(), SIGUSR2), 0);
  CHECK_IS(handled, 2);
  CHECK(pthread_equal(handled_on, pthread_self()));
}

/* One that is blocked is pending until it is blocked no more. */
static void test_masks(void) {
  sigset_t set, before, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  handled = 0;
  CHECK_IS(pthread_sigmask(99, &set, NULL), EINVAL);
  CHECK_IS(pthread_sigmask(SIG_BLOCK, &set, &before), 0);
  CHECK(!sigismember(&before, SIGUSR1));
  CHECK_IS(raise(SIGUSR1), 0);
  CHECK_IS(kill(getpid(), SIGUSR1), 0);
  CHECK_IS(handled, 0);
  CHECK_IS(sigpending(&pending), 0);
  CHECK(sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
  CHECK_IS(sigprocmask(SIG_SETMASK, &before, &set), 0);
  CHECK(sigismember(&set, SIGUSR1));
  CHECK(handled >= 1);
  CHECK_IS(sigpending(&pending), 0);
  CHECK(!sigismember(&pending, SIGUSR1));
}

static void* takes(void* count) {
  sigset_t set;
  sigfillset(&set);
  for (int i = 0; i < 3; ++i) {
    int signal = 0;
    CHECK_IS(sigwait(&set, &signal), 0);
    CHECK_IS(signal, SIGUSR1 + i % 2 * (SIGUSR2 - SIGUSR1));
    ++*(int*)count;
  }
  return NULL;
}

/* One thread takes what all others have blocked; it inherits their mask. */
static void test_waiting(void) {
  sigset_t set, before;
  pthread_t thread;
  int taken = 0;
  sigfillset(&set);
  pthread_sigmask(SIG_SETMASK, &set, &before);
  CHECK_IS(pthread_create(&thread, NULL, takes, &taken), 0);
  handled = 0;
  for (int i = 0; i < 3; ++i) {
    sleep_us(10);
    CHECK_IS(taken, i);
    const int signal = i % 2 == 0 ? SIGUSR1 : SIGUSR2;
    CHECK_IS(i == 2 ? pthread_kill(thread, signal) : kill(getpid(), signal), 0);
  }
  CHECK_IS(pthread_join(thread, NULL), 0);
  CHECK_IS(taken, 3);
  CHECK_IS(handled, 0);
  const struct timespec time = {0, 20000};
  const long began = now_us();
  siginfo_t info;
  CHECK(sigtimedwait(&set, &info, &time) == -1 && errno == EAGAIN);
  CHECK_LASTED(now_us() - began, 20);
  raise(SIGUSR2);
  CHECK_IS(sigwaitinfo(&set, &info), SIGUSR2);
  CHECK_IS(info.si_signo, SIGUSR2);
  raise(SIGUSR1);
  CHECK(sigsuspend(&before) == -1 && errno == EINTR);
  CHECK_IS(handled, 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void* sends(void* to) {
  sleep_us(30);
  pthread_kill(*(pthread_t*)to, SIGUSR1);
  return NULL;
}

static void test_pausing(void) {
  pthread_t thread, own = pthread_self();
  const long began = now_us();
  handled = 0;
  CHECK_IS(pthread_create(&thread, NULL, sends, &own), 0);
  CHECK(pause() == -1 && errno == EINTR);
  CHECK_IS(handled, 1);
  CHECK(now_us() - began >= 30);
  CHECK_IS(pthread_join(thread, NULL), 0);
}

int main(void) {
  const struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, handle);
  test_kill();
  test_masks();
  test_waiting();
  test_pausing();
  CHECK_IS(last, SIGUSR1);
  puts("right");
  return 0;
}
