/* Waiting for sockets and pipes. */
#include "descriptors.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL
#define NS_PER_US 1000LL
#define FOR_EVER INT64_MAX

/* Whether it is not yet `deadline`: then a look's time has passed. */
static int may_look_again(int64_t now, int64_t deadline) {
  if (now >= deadline) return 0;
  hindcast_rank_look();
  return 1;
}

static int64_t deadline_after(int64_t ns) { return ns < 0 ? FOR_EVER : hindcast_rank_settle_ns() + ns; }

static int poll_until(struct pollfd* descriptors, nfds_t count, int64_t deadline) {
  for (;;) {
    const int64_t now = hindcast_rank_settle_ns();
    const int ready = (int)syscall(SYS_poll, descriptors, count, 0);
    if (ready != 0 || !may_look_again(now, deadline)) return ready;
  }
}

int joins_ranks(int descriptor) {
  struct stat what;
  if (fstat(descriptor, &what) != 0) return 0;
  return S_ISSOCK(what.st_mode) || S_ISFIFO(what.st_mode);
}

int is_waited_for(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0; }

static void await(int descriptor, short events) {
  struct pollfd one = {.fd = descriptor, .events = events};
  poll_until(&one, 1, is_waited_for(descriptor) ? FOR_EVER : 0);
}

void await_readable(int descriptor) { await(descriptor, POLLIN); }
void await_writable(int descriptor) { await(descriptor, POLLOUT); }

/* A datagram goes as a whole. */
static int takes_parts(int descriptor) {
  int type = SOCK_STREAM;
  socklen_t length = sizeof type;
  getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length);
  return type == SOCK_STREAM && is_waited_for(descriptor);
}

/* So many bytes a pipe or a stream takes without waiting when it says that it takes any. */
ssize_t write_where_there_is_room(int descriptor, const void* data, size_t bytes) {
  const size_t part_max = takes_parts(descriptor) ? PIPE_BUF : bytes;
  size_t written = 0;
  do {
    await_writable(descriptor);
    const size_t left = bytes - written;
    const ssize_t part = syscall(SYS_write, descriptor, (const char*)data + written, left < part_max ? left : part_max);
    if (part < 0) return written > 0 ? (ssize_t)written : part;
    written += (size_t)part;
  } while (written < bytes);
  return (ssize_t)written;
}

OWN_COPY int poll(struct pollfd* descriptors, nfds_t count, int ms) {
  if (count > 0 || ms < 0) return poll_until(descriptors, count, deadline_after(ms * NS_PER_MS));
  hindcast_rank_sleep_ns(ms * NS_PER_MS);
  return 0;
}

OWN_COPY int ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* time, const sigset_t* mask) {
  (void)mask;
  const int64_t ns = time == NULL ? -1 : time->tv_sec * NS_PER_S + time->tv_nsec;
  if (count > 0 || ns < 0) return poll_until(descriptors, count, deadline_after(ns));
  hindcast_rank_sleep_ns(ns);
  return 0;
}

static int select_now(int count, fd_set* reads, fd_set* writes, fd_set* others) {
  struct timeval at_once = {0, 0};
  return (int)syscall(SYS_select, count, reads, writes, others, &at_once);
}

static fd_set copy_of(const fd_set* set) {
  fd_set copy;
  FD_ZERO(&copy);
  if (set != NULL) copy = *set;
  return copy;
}

OWN_COPY int select(int count, fd_set* reads, fd_set* writes, fd_set* others, struct timeval* time) {
  const int64_t ns = time == NULL ? -1 : time->tv_sec * NS_PER_S + time->tv_usec * NS_PER_US;
  if (ns >= 0 && (count == 0 || (reads == NULL && writes == NULL && others == NULL))) {
    hindcast_rank_sleep_ns(ns);
    return 0;
  }
  const fd_set asked[] = {copy_of(reads), copy_of(writes), copy_of(others)};
  const int64_t deadline = deadline_after(ns);
  for (;;) {
    const int64_t now = hindcast_rank_settle_ns();
    const int ready = select_now(count, reads, writes, others);
    if (ready != 0 || !may_look_again(now, deadline)) return ready;
    if (reads != NULL) *reads = asked[0];
    if (writes != NULL) *writes = asked[1];
    if (others != NULL) *others = asked[2];
  }
}

OFFER(poll);
OFFER(ppoll);
OFFER(select);
