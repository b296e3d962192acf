/* Waiting for sockets, pipes and the like. */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
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

static int64_t ns_of(const struct timespec* time) {
  return time == NULL ? -1 : time->tv_sec * NS_PER_S + time->tv_nsec;
}

static int await(const char* call, int descriptor, short events) {
  const int is_waited_for = (fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0;
  struct pollfd one = {.fd = descriptor, .events = events};
  const struct hindcast_descriptor_wait wait = {call, &one, 1, is_waited_for ? -1 : 0, NULL, 1};
  return hindcast_rank_await(&wait) >= 0;
}

int await_readable(const char* call, int descriptor) { return await(call, descriptor, POLLIN); }
int await_writable(const char* call, int descriptor) { return await(call, descriptor, POLLOUT); }

ssize_t changed(ssize_t result) {
  if (result >= 0) hindcast_rank_has_changed_descriptor();
  return result;
}

static int poll_for(const char* call, struct pollfd* descriptors, nfds_t count, int64_t ns, const sigset_t* mask) {
  const struct hindcast_descriptor_wait wait = {call, descriptors, count, ns, mask, 0};
  return hindcast_rank_await(&wait);
}

OWN_COPY int poll(struct pollfd* descriptors, nfds_t count, int ms) {
  return poll_for("poll", descriptors, count, ms * NS_PER_MS, NULL);
}
OWN_COPY int ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* time, const sigset_t* mask) {
  return poll_for("ppoll", descriptors, count, ns_of(time), mask);
}

static fd_set copy_of(const fd_set* set) {
  fd_set copy;
  FD_ZERO(&copy);
  if (set != NULL) copy = *set;
  return copy;
}

/* The members of the three sets, as poll knows them. */
static nfds_t list_of(struct pollfd* list, int count, const fd_set* reads, const fd_set* writes, const fd_set* others) {
  nfds_t length = 0;
  for (int descriptor = 0; descriptor < count && descriptor < FD_SETSIZE; ++descriptor) {
    const int events = (FD_ISSET(descriptor, reads) ? POLLIN : 0) | (FD_ISSET(descriptor, writes) ? POLLOUT : 0) |
                       (FD_ISSET(descriptor, others) ? POLLPRI : 0);
    if (events != 0) list[length++] = (struct pollfd){.fd = descriptor, .events = (short)events};
  }
  return length;
}

static int fill(fd_set* set, const struct pollfd* list, nfds_t length, short asked, short answers) {
  int ready = 0;
  if (set == NULL) return 0;
  FD_ZERO(set);
  for (nfds_t i = 0; i < length; ++i) {
    if ((list[i].events & asked) == 0 || (list[i].revents & answers) == 0) continue;
    FD_SET(list[i].fd, set);
    ++ready;
  }
  return ready;
}

static int select_for(const char* call, int count, fd_set* reads, fd_set* writes, fd_set* others, int64_t ns,
                      const sigset_t* mask) {
  const fd_set asked[] = {copy_of(reads), copy_of(writes), copy_of(others)};
  struct pollfd list[FD_SETSIZE];
  const nfds_t length = list_of(list, count, &asked[0], &asked[1], &asked[2]);
  if (poll_for(call, list, length, ns, mask) < 0) return -1;
  for (nfds_t i = 0; i < length; ++i) {
    if ((list[i].revents & POLLNVAL) == 0) continue;
    errno = EBADF;
    return -1;
  }
  return fill(reads, list, length, POLLIN, POLLIN | POLLHUP | POLLERR) +
         fill(writes, list, length, POLLOUT, POLLOUT | POLLERR) + fill(others, list, length, POLLPRI, POLLPRI);
}

OWN_COPY int select(int count, fd_set* reads, fd_set* writes, fd_set* others, struct timeval* time) {
  const int64_t ns = time == NULL ? -1 : time->tv_sec * NS_PER_S + time->tv_usec * NS_PER_US;
  return select_for("select", count, reads, writes, others, ns, NULL);
}
OWN_COPY int pselect(int count, fd_set* reads, fd_set* writes, fd_set* others, const struct timespec* time,
                     const sigset_t* mask) {
  return select_for("pselect", count, reads, writes, others, ns_of(time), mask);
}

/* A set of descriptors that has any to tell of can be read itself. */
static int wait_for_events(const char* call, int set, struct epoll_event* events, int max, int64_t ns,
                           const sigset_t* mask) {
  struct pollfd whole = {.fd = set, .events = POLLIN};
  if (max > 0 && poll_for(call, &whole, 1, ns, mask) < 0) return -1;
  return (int)syscall(SYS_epoll_wait, set, events, max, 0);
}

OWN_COPY int epoll_wait(int set, struct epoll_event* events, int max, int ms) {
  return wait_for_events("epoll_wait", set, events, max, ms * NS_PER_MS, NULL);
}
OWN_COPY int epoll_pwait(int set, struct epoll_event* events, int max, int ms, const sigset_t* mask) {
  return wait_for_events("epoll_pwait", set, events, max, ms * NS_PER_MS, mask);
}
OWN_COPY int epoll_pwait2(int set, struct epoll_event* events, int max, const struct timespec* time,
                          const sigset_t* mask) {
  return wait_for_events("epoll_pwait2", set, events, max, ns_of(time), mask);
}

OFFER(poll);
OFFER(ppoll);
OFFER(select);
OFFER(pselect);
OFFER(epoll_wait);
OFFER(epoll_pwait);
OFFER(epoll_pwait2);
