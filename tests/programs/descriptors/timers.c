/* timerfd and POSIX timers, by simulated time. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../threads/wrong.h"

/* Signals and looks take a little, and clocks show whole microseconds. */
#define CHECK_ABOUT(us, expected) CHECK(labs((us) - (expected)) <= 20)

static struct itimerspec after_us(long us, long interval_us) {
  return (struct itimerspec){.it_value = {us / 1000000, us % 1000000 * 1000},
                             .it_interval = {interval_us / 1000000, interval_us % 1000000 * 1000}};
}

static void test_descriptor(void) {
  uint64_t count = 0;
  struct itimerspec value = after_us(1500000, 1000000), left;
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct pollfd one = {.fd = timer, .events = POLLIN};
  const long began = now_us();
  CHECK_IS(timerfd_settime(timer, 0, &value, NULL), 0);
  CHECK_IS(poll(&one, 1, 1000), 0);
  CHECK_IS(timerfd_gettime(timer, &left), 0);
  CHECK_ABOUT(left.it_value.tv_nsec / 1000, 500000);
  CHECK_IS(left.it_interval.tv_sec, 1);
  CHECK_IS(read(timer, &count, sizeof count), sizeof count);
  CHECK_IS(count, 1);
  CHECK_ABOUT(now_us() - began, 1500000);
  sleep_us(3200000);
  CHECK_IS(read(timer, &count, sizeof count), sizeof count);
  CHECK_IS(count, 3);
  value = after_us(0, 0);
  CHECK_IS(timerfd_settime(timer, 0, &value, &left), 0);
  CHECK_IS(poll(&one, 1, 5000), 0);
  const struct timespec at = in_us(CLOCK_MONOTONIC, 700000);
  value = (struct itimerspec){.it_value = at};
  const long set_at = now_us();
  CHECK_IS(timerfd_settime(timer, TFD_TIMER_ABSTIME, &value, NULL), 0);
  CHECK_IS(poll(&one, 1, -1), 1);
  CHECK_ABOUT(now_us() - set_at, 700000);
  CHECK_IS(close(timer), 0);
  CHECK(timerfd_settime(timer, 0, &value, NULL) == -1 && errno == EBADF);
}

static volatile int handled, called;
static void handle(int signal, siginfo_t* info, void* context) {
  (void)signal;
  CHECK(context != NULL);
  handled += info->si_value.sival_int;
}
static void be_called(union sigval value) { called += value.sival_int; }

static void test_signals(void) {
  const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 10};
  struct itimerspec value = after_us(1000, 1000), left;
  timer_t timer;
  sigaction(SIGUSR1, &action, NULL);
  CHECK_IS(timer_create(CLOCK_REALTIME, &event, &timer), 0);
  CHECK_IS(timer_settime(timer, 0, &value, NULL), 0);
  for (int i = 1; i <= 3; ++i) {
    CHECK(pause() == -1 && errno == EINTR);
    CHECK_IS(handled, 10 * i);
  }
  CHECK_IS(timer_gettime(timer, &left), 0);
  CHECK(left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 1000000);
  CHECK_IS(timer_getoverrun(timer), 0);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  sleep_us(3500); /* three or four times, of which the first sends the signal */
  CHECK_IS(handled, 30);
  const int overruns = timer_getoverrun(timer);
  CHECK_IS(timer_delete(timer), 0);
  CHECK(overruns == 2 || overruns == 3);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  CHECK_IS(handled, 40);
  sleep_us(5000);
  CHECK_IS(handled, 40);
  event =
      (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = be_called, .sigev_value.sival_int = 5};
  CHECK_IS(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  value = after_us(2000000, 0);
  CHECK_IS(timer_settime(timer, 0, &value, NULL), 0);
  sleep_us(1900000);
  CHECK_IS(called, 0);
  sleep_us(200000);
  CHECK_IS(called, 5);
  CHECK_IS(timer_delete(timer), 0);
}

int main(void) {
  test_descriptor();
  test_signals();
  puts("right");
  return 0;
}
