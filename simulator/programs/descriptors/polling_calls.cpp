// poll, select, epoll_wait and their kin. Sockets, pipes and the like join ranks, and threads of a rank, that run in
// turn: who waits in the system for another one waits for ever. So a rank waits in the simulator until it need not
// wait.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <vector>

#include "simulator/programs/descriptors/own_descriptors.hpp"

namespace {

constexpr std::int64_t ns_of_ms = 1'000'000;

// Negative: as long as it takes.
std::int64_t time_to_wait_ns(const timespec* time) {
  return time == nullptr ? -1 : time->tv_sec * 1'000'000'000 + time->tv_nsec;
}

int poll_for(const char* call, pollfd* files, nfds_t count, std::int64_t ns, const sigset_t* mask) {
  const hindcast_descriptor_wait wait{call, files, count, ns, mask, false};
  return hindcast_rank_await(&wait);
}

bool has(const fd_set* set, int descriptor) { return set != nullptr && FD_ISSET(descriptor, set); }

struct Sets {
  fd_set* reads;
  fd_set* writes;
  fd_set* others;
};

// Their members, as poll knows them.
std::vector<pollfd> files_of(int count, const Sets& sets) {
  std::vector<pollfd> files;
  for (int descriptor = 0; descriptor < std::min(count, FD_SETSIZE); ++descriptor) {
    const int events = (has(sets.reads, descriptor) ? POLLIN : 0) | (has(sets.writes, descriptor) ? POLLOUT : 0) |
                       (has(sets.others, descriptor) ? POLLPRI : 0);
    if (events != 0) files.push_back({descriptor, static_cast<short>(events), 0});
  }
  return files;
}

int fill(fd_set* set, const std::vector<pollfd>& files, int asked, int answers) {
  int ready = 0;
  if (set == nullptr) return 0;
  FD_ZERO(set);
  for (const pollfd& file : files) {
    if ((file.events & asked) == 0 || (file.revents & answers) == 0) continue;
    FD_SET(file.fd, set);
    ++ready;
  }
  return ready;
}

int select_for(const char* call, int count, const Sets& sets, std::int64_t ns, const sigset_t* mask) {
  std::vector<pollfd> files = files_of(count, sets);
  if (poll_for(call, files.data(), files.size(), ns, mask) < 0) return -1;
  if (std::any_of(files.begin(), files.end(), [](const pollfd& file) { return (file.revents & POLLNVAL) != 0; })) {
    errno = EBADF;
    return -1;
  }
  return fill(sets.reads, files, POLLIN, POLLIN | POLLHUP | POLLERR) +
         fill(sets.writes, files, POLLOUT, POLLOUT | POLLERR) + fill(sets.others, files, POLLPRI, POLLPRI);
}

// A set of descriptors that has any to tell of can be read itself.
int wait_for_events(const char* call, int set, epoll_event* events, int max, std::int64_t ns, const sigset_t* mask) {
  pollfd whole{set, POLLIN, 0};
  if (max > 0 && poll_for(call, &whole, 1, ns, mask) < 0) return -1;
  return epoll_wait(set, events, max, 0);
}

}  // namespace

extern "C" {

int hindcast_poll(pollfd* files, nfds_t count, int ms) {
  return poll_for("poll", files, count, ms * ns_of_ms, nullptr);
}
int hindcast_ppoll(pollfd* files, nfds_t count, const timespec* time, const sigset_t* mask) {
  return poll_for("ppoll", files, count, time_to_wait_ns(time), mask);
}

int hindcast_select(int count, fd_set* reads, fd_set* writes, fd_set* others, timeval* time) {
  const std::int64_t ns = time == nullptr ? -1 : time->tv_sec * 1'000'000'000 + time->tv_usec * 1000;
  return select_for("select", count, {reads, writes, others}, ns, nullptr);
}
int hindcast_pselect(int count, fd_set* reads, fd_set* writes, fd_set* others, const timespec* time,
                     const sigset_t* mask) {
  return select_for("pselect", count, {reads, writes, others}, time_to_wait_ns(time), mask);
}

int hindcast_epoll_wait(int set, epoll_event* events, int max, int ms) {
  return wait_for_events("epoll_wait", set, events, max, ms * ns_of_ms, nullptr);
}
int hindcast_epoll_pwait(int set, epoll_event* events, int max, int ms, const sigset_t* mask) {
  return wait_for_events("epoll_pwait", set, events, max, ms * ns_of_ms, mask);
}
int hindcast_epoll_pwait2(int set, epoll_event* events, int max, const timespec* time, const sigset_t* mask) {
  return wait_for_events("epoll_pwait2", set, events, max, time_to_wait_ns(time), mask);
}

}  // extern "C"
