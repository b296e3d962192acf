// What a message-passing library does by itself on its rank's processor, whichever library it is: it copies, it
// combines the elements of a reduction, it looks at the clock.
#pragma once

#include "simulator/engine/thread.hpp"
#include "simulator/hardware/node/processor.hpp"

namespace hindcast::mpi {

inline constexpr StepKind step_copy{"copy", "processor.copy_bandwidth"};
inline constexpr StepKind step_combine{"combine", "processor.combine_rate"};
inline constexpr StepKind step_clock_read{"clock read", "processor.clock_read"};

// All by the calling thread.
struct LocalCosts {
  Rate copy;
  Rate combine;
  Time clock_read;

  static LocalCosts of(const Processor& processor) {
    return {processor.copy_bandwidth, processor.combine_rate, processor.clock_read};
  }

  // What is empty is not copied.
  void spend_copy(const StepKind& kind, Bytes bytes, MessageId message) const {
    if (bytes > Bytes()) Thread::current()->spend(kind, copy.time_for(bytes), message, bytes.count());
  }
  void spend_combine(std::uint64_t operations) const {
    Thread::current()->spend(step_combine, combine.time_for(operations), 0, operations);
  }
  void spend_clock_read() const { Thread::current()->spend(step_clock_read, clock_read); }
};

}  // namespace hindcast::mpi
