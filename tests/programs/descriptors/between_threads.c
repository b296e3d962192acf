/* Threads of a rank that wait for descriptors which another thread makes ready: each call by a name. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../threads/wrong.h"

/* Clocks show whole microseconds. */
#define CHECK_ABOUT(us, expected) CHECK(labs((us) - (expected)) <= 2)

static long look_us; /* what a look takes, and what a thread has done before it waits */
static int ends[2];

static void* writes_after(void* us) {
  sleep_us(*(long*)us);
  const uint64_t value = 7;
  CHECK_IS(write(ends[1], &value, sizeof value), sizeof value);
  return NULL;
}

static void open_pair(const char* kind) {
  if (strcmp(kind, "pipe") == 0) CHECK_IS(pipe(ends), 0);
  if (strcmp(kind, "eventfd") == 0) CHECK((ends[0] = ends[1] = eventfd(0, 0)) >= 0);
  if (strcmp(kind, "socketpair") == 0) CHECK_IS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}

static int wait_by_epoll(int ms) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]}, told = {0};
  const int set = epoll_create1(0);
  CHECK_IS(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event), 0);
  const int count = ms % 2 == 0 ? epoll_wait(set, &told, 1, ms) : epoll_pwait(set, &told, 1, ms, NULL);
  if (count > 0) CHECK_IS(told.data.fd, ends[0]);
  close(set);
  return count;
}

static int wait_by_select(int ms) {
  struct timeval time = {ms / 1000, ms % 1000 * 1000};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  const int count = select(ends[0] + 1, &set, NULL, NULL, ms < 0 ? NULL : &time);
  CHECK_IS(FD_ISSET(ends[0], &set), count == 1);
  return count;
}

static int wait_by_poll(int ms) {
  struct pollfd one = {.fd = ends[0], .events = POLLIN};
  const int count = poll(&one, 1, ms);
  CHECK_IS(one.revents, count == 1 ? POLLIN : 0);
  return count;
}

static int wait_by(const char* call, int ms) {
  if (strcmp(call, "epoll") == 0) return wait_by_epoll(ms);
  return strcmp(call, "select") == 0 ? wait_by_select(ms) : wait_by_poll(ms);
}

/* Until another thread writes, which is after some seconds; and in vain. */
static void test_wait(const char* call, int ms) {
  pthread_t thread;
  long us = 3000000;
  uint64_t value = 0;
  const long began = now_us();
  CHECK_IS(pthread_create(&thread, NULL, writes_after, &us), 0);
  if (strcmp(call, "read") != 0) CHECK_IS(wait_by(call, ms), 1);
  CHECK_IS(read(ends[0], &value, sizeof value), sizeof value);
  CHECK_IS(value, 7);
  CHECK_ABOUT(now_us() - began, us + look_us);
  CHECK_IS(pthread_join(thread, NULL), 0);
}

static void test_time_out(const char* call, int ms) {
  const long began = now_us();
  CHECK_IS(wait_by(call, ms), 0);
  CHECK_ABOUT(now_us() - began, ms * 1000L);
}

/* A loop that only looks lets time pass, too. */
static void test_looks(const char* call) {
  pthread_t thread;
  long us = 1000;
  uint64_t value;
  const long began = now_us();
  CHECK_IS(pthread_create(&thread, NULL, writes_after, &us), 0);
  while (wait_by(call, 0) == 0) {
  }
  CHECK_IS(read(ends[0], &value, sizeof value), sizeof value);
  CHECK(now_us() - began >= us);
  CHECK_IS(pthread_join(thread, NULL), 0);
}

int main(int argc, char** argv) {
  CHECK_IS(argc, 4);
  look_us = atol(argv[3]);
  open_pair(argv[1]);
  const char* call = argv[2];
  test_wait(call, -1);
  if (strcmp(call, "read") != 0) {
    test_wait(call, 5000);
    test_wait(call, 5001);
    test_time_out(call, 1500);
    test_time_out(call, 1501);
    test_looks(call);
  }
  puts("right");
  return 0;
}
