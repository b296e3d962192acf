#include "simulator/programs/clocks/waiting_timer.hpp"

#include <cerrno>
#include <csignal>

#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/libc/own_calls.hpp"

namespace hindcast::programs {

int WaitingTimer::set(std::int64_t delay_ns, std::int64_t interval_ns) {
  ++times_set_;
  due_ns_ = delay_ns > 0 ? read_clock_ns() + delay_ns : 0;
  interval_ns_ = interval_ns;
  if (delay_ns <= 0) return 0;
  pthread_t thread{};
  errno = hindcast_pthread_create(&thread, nullptr, run, this);
  return errno != 0 ? -1 : hindcast_pthread_detach(thread);
}

std::int64_t WaitingTimer::left_ns() const {
  if (due_ns_ == 0) return 0;
  const std::int64_t left = due_ns_ - read_clock_ns();
  return left > 0 ? left : 1;
}

// Signals are for the program's threads.
void* WaitingTimer::run(void* timer) {
  sigset_t all;
  sigfillset(&all);
  hindcast_sigprocmask(SIG_BLOCK, &all, nullptr);
  static_cast<WaitingTimer*>(timer)->wait_and_tell();
  return nullptr;
}

void WaitingTimer::wait_and_tell() {
  const std::uint64_t mine = times_set_;
  while (times_set_ == mine && due_ns_ != 0) {
    const std::int64_t left = due_ns_ - read_clock_ns();
    if (left > 0) {
      sleep_ns(left);
      continue;
    }
    due_ns_ = interval_ns_ > 0 ? due_ns_ + interval_ns_ : 0;
    tell();
  }
}

}  // namespace hindcast::programs
