// Signals that have been sent to a thread, or to a program, and not been handled: one of each number, but all of those
// for real time, in their order.
#pragma once

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdint>
#include <vector>

namespace hindcast::programs {

class PendingSignals {
 public:
  using Set = std::uint64_t;  // a bit each, from signal 1 on

  static Set bit_of(int signal) { return Set{1} << (signal - 1); }

  Set numbers() const { return numbers_; }

  void add(const siginfo_t& sent) {
    constexpr int first_real_time = 32;
    const Set bit = bit_of(sent.si_signo);
    if ((numbers_ & bit) != 0 && sent.si_signo < first_real_time) return;
    numbers_ |= bit;
    sent_.push_back(sent);
  }

  // The first of the lowest number of those wanted, of which there is one.
  siginfo_t take(Set wanted) {
    const int signal = std::countr_zero(numbers_ & wanted) + 1;
    const auto is_same = [&](const siginfo_t& one) { return one.si_signo == signal; };
    const auto first = std::find_if(sent_.begin(), sent_.end(), is_same);
    const siginfo_t taken = *first;
    const auto next = sent_.erase(first);
    if (std::none_of(next, sent_.end(), is_same)) numbers_ &= ~bit_of(signal);
    return taken;
  }

 private:
  Set numbers_ = 0;
  std::vector<siginfo_t> sent_;
};

}  // namespace hindcast::programs
