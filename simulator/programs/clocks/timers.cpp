#include "simulator/programs/clocks/timers.hpp"

#include <algorithm>

#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

Timers& Timers::of_caller(const char* function) {
  RunningProgram& program = RunningProgram::calling(function);
  if (program.timers == nullptr) program.timers = std::make_unique<Timers>();
  return *program.timers;
}

IntervalTimer* Timers::interval_timer(int which) {
  const auto index = static_cast<std::size_t>(which);
  return index < intervals_.size() ? &intervals_[index] : nullptr;
}

PosixTimer& Timers::unused_posix_timer() {
  const auto unused = std::find_if(posix_.begin(), posix_.end(), [](const auto& timer) { return !timer.is_in_use; });
  return unused != posix_.end() ? *unused : posix_.emplace_back();
}

DescriptorTimer& Timers::unused_descriptor_timer() {
  const auto unused = std::find_if(of_descriptors_.begin(), of_descriptors_.end(),
                                   [](const auto& timer) { return timer.descriptor < 0; });
  return unused != of_descriptors_.end() ? *unused : of_descriptors_.emplace_back();
}

DescriptorTimer* Timers::timer_of(int descriptor) {
  if (descriptor < 0) return nullptr;
  const auto found = std::find_if(of_descriptors_.begin(), of_descriptors_.end(),
                                  [&](const auto& timer) { return timer.descriptor == descriptor; });
  return found != of_descriptors_.end() ? &*found : nullptr;
}

void Timers::forget(int descriptor) {
  DescriptorTimer* const timer = timer_of(descriptor);
  if (timer == nullptr) return;
  timer->set(0, 0);
  timer->descriptor = -1;
}

}  // namespace hindcast::programs
