#include "simulator/programs/descriptors/descriptor_waits.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/threads/program_thread.hpp"

namespace hindcast::programs {

namespace {

constexpr std::uint64_t after_change = 0;  // the data of an event: whoever has changed something has it looked at

bool is_ready(std::span<pollfd> files) { return ::poll(files.data(), files.size(), 0) != 0; }

bool is_unnamed(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0 && address.ss_family == AF_UNIX &&
         length <= offsetof(sockaddr, sa_data);
}

// The launcher's own standard files are everybody's.
bool is_of_launcher(const struct stat& file) {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    struct stat own {};
    if (fstat(descriptor, &own) == 0 && own.st_dev == file.st_dev && own.st_ino == file.st_ino) return true;
  }
  return false;
}

// Made by pipe, so that it has no name: those lie on a file system of their own.
bool is_unnamed_pipe(const struct stat& file) {
  static const dev_t device = [] {
    std::array<int, 2> ends{};
    struct stat made {};
    if (pipe(ends.data()) != 0) return dev_t{0};
    fstat(ends[0], &made);
    close(ends[0]);
    close(ends[1]);
    return made.st_dev;
  }();
  return S_ISFIFO(file.st_mode) && file.st_dev == device;
}

bool is_event_counter(int descriptor) {
  std::array<char, 32> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return readlink(link.c_str(), name.data(), name.size() - 1) > 0 &&
         std::string_view(name.data()) == "anon_inode:[eventfd]";
}

}  // namespace

WaitQueue& DescriptorWaits::queue_for_new() {
  last_change_ = engine_.now();
  look_again_later(Time::us(1));
  return waiting_;
}

void DescriptorWaits::forget(const ProgramThreads& threads) {
  for (Waiter* next = waiting_.first(); next != nullptr;) {
    Waiter& waiter = *next;
    next = next->next;
    if (&waiter.thread->threads == &threads) waiting_.remove(waiter);
  }
}

void DescriptorWaits::has_changed() {
  if (!waiting_.is_empty()) Thread::current()->act(*this, after_change);
}

void DescriptorWaits::fire(const Event& event) {
  if (event.data != after_change && event.data != next_look_) return;
  if (event.data == after_change) last_change_ = engine_.now();
  look();
  if (waiting_.is_empty() || event.data == after_change) return;
  // Of what happens in this process nothing will be, so that there is a deadlock, unless another one ends it.
  if (engine_.is_nothing_to_come() && !wait_outside()) return;
  constexpr std::int64_t looks_until_doubled = 8;
  const Time waited = engine_.now() - last_change_;
  const Time interval = later_of(Time::us(1), Time::ps(waited.in_ps() / looks_until_doubled));
  let_others_outside_run(interval);
  look_again_later(interval);
}

// Whoever is ready goes on; another may come before it and take what was there.
void DescriptorWaits::look() {
  for (Waiter* next = waiting_.first(); next != nullptr;) {
    auto& waiting = static_cast<Waiting&>(*next);
    next = next->next;
    if (is_ready(waiting.files)) grant(waiting);
  }
}

void DescriptorWaits::look_again_later(Time interval) {
  engine_.at(engine_.now() + interval, EventKind::wake, owner_, *this, ++next_look_);
}

std::vector<pollfd> DescriptorWaits::all_files() const {
  std::vector<pollfd> all;
  for (const Waiter* next = waiting_.first(); next != nullptr; next = next->next) {
    const std::span<pollfd> files = static_cast<const Waiting*>(next)->files;
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

// Waits in the system, as nothing else is to be done. False: nobody outside has what is waited for.
bool DescriptorWaits::wait_outside() {
  std::vector<pollfd> files = all_files();
  if (std::none_of(files.begin(), files.end(), [&](const pollfd& file) { return may_change_from_outside(file.fd); }))
    return false;
  constexpr int ms_between_looks_at_end = 50;
  while (!engine_.is_end_requested() && ::poll(files.data(), files.size(), ms_between_looks_at_end) <= 0) {
  }
  look();
  return true;
}

// Simulated time passes at once, and who is at a keyboard or at the other end of a named pipe takes some of this
// computer's. Sockets mostly lead to other ranks.
void DescriptorWaits::let_others_outside_run(Time interval) {
  constexpr std::int64_t ms_max = 10;
  const auto ms = std::min(ms_max, interval.in_ps() / Time::us(1000).in_ps());
  std::vector<pollfd> files = all_files();
  std::erase_if(files, [&](const pollfd& file) {
    struct stat what {};
    return !may_change_from_outside(file.fd) || fstat(file.fd, &what) != 0 || S_ISSOCK(what.st_mode);
  });
  if (ms > 0 && !files.empty() && ::poll(files.data(), files.size(), static_cast<int>(ms)) > 0) look();
}

bool DescriptorWaits::may_change_from_outside(int descriptor) const {
  struct stat file {};
  if (descriptor < 0 || fstat(descriptor, &file) != 0) return false;
  if (has_started_child_ || is_of_launcher(file)) return true;
  if (is_event_counter(descriptor) || is_unnamed_pipe(file)) return false;
  return !S_ISSOCK(file.st_mode) || !is_unnamed(descriptor);
}

}  // namespace hindcast::programs
