// The timers of a rank's program.
#pragma once

#include <array>
#include <csignal>
#include <ctime>
#include <deque>

#include "simulator/programs/clocks/waiting_timer.hpp"

namespace hindcast::programs {

// Of alarm and setitimer.
class IntervalTimer final : public WaitingTimer {
 public:
  explicit IntervalTimer(int signal) : signal_(signal) {}

 private:
  void tell() override;

  int signal_;
};

// Of timer_create.
class PosixTimer final : public WaitingTimer {
 public:
  bool is_in_use = false;
  clockid_t clock = CLOCK_REALTIME;
  sigevent event{};
  int overruns = 0;  // expirations since the signal that came last, or is still to come, was sent

 private:
  void tell() override;
  void send_signal();
};

// Of timerfd_create.
class DescriptorTimer final : public WaitingTimer {
 public:
  int descriptor = -1;  // that is closed: it is not in use
  clockid_t clock = CLOCK_REALTIME;

 private:
  void tell() override;
};

class Timers {
 public:
  // Of the program that calls `function`.
  static Timers& of_caller(const char* function);

  IntervalTimer* interval_timer(int which);
  PosixTimer& unused_posix_timer();
  DescriptorTimer& unused_descriptor_timer();
  DescriptorTimer* timer_of(int descriptor);  // null: it has none
  // The descriptor is closed.
  void forget(int descriptor);

 private:
  // ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF. The processor is taken to work all the time.
  std::array<IntervalTimer, 3> intervals_{IntervalTimer(SIGALRM), IntervalTimer(SIGVTALRM), IntervalTimer(SIGPROF)};
  // One that is in use no more is used again, as its thread may still sleep.
  std::deque<PosixTimer> posix_;
  std::deque<DescriptorTimer> of_descriptors_;
};

}  // namespace hindcast::programs
