/* What a descriptor's other end does besides writing: it makes room, goes away, or never comes. */
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../threads/wrong.h"

static int ends[2];
static char much[1 << 20];

static void* reads_all(void* unused) {
  char part[5000];
  long sum = 0;
  ssize_t count;
  sleep_us(20);
  while ((count = read(ends[0], part, sizeof part)) > 0) sum += count;
  CHECK_IS(sum, sizeof much + 3);
  return unused;
}

static void* closes(void* unused) {
  sleep_us(2000000);
  CHECK_IS(close(ends[1]), 0);
  return unused;
}

static void test_much(void) {
  pthread_t thread;
  struct iovec parts[] = {{"a", 1}, {"bc", 2}};
  CHECK_IS(pipe(ends), 0);
  CHECK_IS(pthread_create(&thread, NULL, reads_all, NULL), 0);
  CHECK_IS(write(ends[1], much, sizeof much), sizeof much);
  CHECK_IS(writev(ends[1], parts, 2), 3);
  CHECK_IS(close(ends[1]), 0);
  CHECK_IS(pthread_join(thread, NULL), 0);
  close(ends[0]);
}

static void test_end(void) {
  pthread_t thread;
  char byte;
  CHECK_IS(pipe(ends), 0);
  const long began = now_us();
  CHECK_IS(pthread_create(&thread, NULL, closes, NULL), 0);
  CHECK_IS(read(ends[0], &byte, 1), 0);
  CHECK_LASTED(now_us() - began, 2000000);
  CHECK_IS(pthread_join(thread, NULL), 0);
  close(ends[0]);
}

static void* takes_one(void* counter) {
  eventfd_t value;
  CHECK_IS(eventfd_read(*(int*)counter, &value), 0);
  CHECK_IS(value, 1);
  return NULL;
}

/* Of several that wait each gets one, and the others go on waiting. */
static void test_takers(void) {
  pthread_t threads[5];
  int counter = eventfd(0, EFD_SEMAPHORE);
  for (int i = 0; i < 5; ++i) CHECK_IS(pthread_create(&threads[i], NULL, takes_one, &counter), 0);
  for (int i = 0; i < 5; ++i) {
    sleep_us(10);
    CHECK_IS(eventfd_write(counter, 1), 0);
  }
  for (int i = 0; i < 5; ++i) CHECK_IS(pthread_join(threads[i], NULL), 0);
  close(counter);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    uint64_t value;
    CHECK_IS(pipe(ends), 0);
    return (int)read(strcmp(argv[1], "pipe") == 0 ? ends[0] : eventfd(0, 0), &value, sizeof value);
  }
  test_much();
  test_end();
  test_takers();
  puts("right");
  return 0;
}
