// What a simulated thread has of the operating system's thread while it runs, as all simulated threads share that one:
// errno, its arithmetic, and the exceptions that it is handling.
#pragma once

#include <cerrno>
#include <utility>

#include "simulator/engine/process_wide.hpp"
#include "simulator/engine/thread/arithmetic_state.hpp"

namespace hindcast {

class Registers {
 public:
  // Leaves them as handlers and SimGrid expect them.
  void save() {
    errno_ = errno;
    arithmetic_.save();
    exceptions_ = std::exchange(*process_wide::caught_exceptions, {});
    arithmetic_.reset_rounding();
  }
  void restore() const {
    *process_wide::caught_exceptions = exceptions_;
    arithmetic_.restore();
    errno = errno_;
  }

  ArithmeticState& arithmetic() { return arithmetic_; }

 private:
  int errno_ = 0;
  ArithmeticState arithmetic_;
  process_wide::CaughtExceptions exceptions_{};
};

}  // namespace hindcast
