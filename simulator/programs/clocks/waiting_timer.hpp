// A timer of simulated time: a thread of the rank's own waits for each that runs.
#pragma once

#include <cstdint>

namespace hindcast::programs {

class WaitingTimer {
 public:
  WaitingTimer() = default;
  WaitingTimer(const WaitingTimer&) = delete;
  WaitingTimer& operator=(const WaitingTimer&) = delete;

  // After so long and then at intervals; not at all after 0. Gives 0, or -1 with errno.
  int set(std::int64_t delay_ns, std::int64_t interval_ns);
  std::int64_t left_ns() const;  // 0: it does not run
  std::int64_t interval_ns() const { return interval_ns_; }

 protected:
  ~WaitingTimer() = default;

 private:
  // Its time has come, on that thread.
  virtual void tell() = 0;
  static void* run(void* timer);
  void wait_and_tell();

  std::int64_t due_ns_ = 0;  // 0: it does not run
  std::int64_t interval_ns_ = 0;
  std::uint64_t times_set_ = 0;  // a thread that waits for what it has been set to before does nothing
};

}  // namespace hindcast::programs
