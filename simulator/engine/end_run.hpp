// How a run is ended from within: by a library that finds a program's mistake, or by a program that aborts.
#pragma once

#include <concepts>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

namespace hindcast {

// Says the line on standard error and makes the launcher leave with this status: at the current thread's clock, or now
// if a handler does it. It does not return to the program.
class EndRun {
 public:
  template <std::invocable<int, const std::string&> End>
  EndRun(End end) : end_(std::move(end)) {}

  [[noreturn]] void operator()(int status, const std::string& line) const {
    end_(status, line);
    std::abort();
  }

 private:
  std::function<void(int status, const std::string& line)> end_;
};

}  // namespace hindcast
