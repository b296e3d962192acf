// What a message-passing library does by itself on its rank's processor, whichever library it is: it copies, it
// combines the elements of a reduction, it looks at the clock.
#pragma once

#include <optional>

#include "mpi_impl/transport/arithmetic.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/hardware/node/memory_port.hpp"
#include "simulator/hardware/node/processor.hpp"

namespace hindcast::mpi {

// All by the calling thread.
struct LocalCosts {
  RatedStep copy;
  RatedStep combine;
  FixedStep clock_read;
  MemoryPort* memory = nullptr;  // which copies go through, if the processor shares it with others
  std::optional<RatedStep> combine_integers = std::nullopt;  // as others, if there is none

  // Of a machine whose nodes are described by [processor].
  static LocalCosts of(const Processor& processor) {
    return {{{"copy", "processor.copy_bandwidth"}, processor.copy_bandwidth},
            {{"combine", "processor.combine_rate"}, processor.combine_rate},
            {{"clock read", "processor.clock_read"}, processor.clock_read},
            nullptr,
            integers_of(processor, "processor.integer_combine_rate")};
  }
  static std::optional<RatedStep> integers_of(const Processor& processor, const char* key) {
    if (!processor.integer_combine_rate) return std::nullopt;
    return RatedStep{{"combine integers", key}, *processor.integer_combine_rate};
  }

  const RatedStep& combine_of(Arithmetic arithmetic) const {
    return arithmetic == Arithmetic::integer && combine_integers ? *combine_integers : combine;
  }

  void spend_copy(Bytes bytes, MessageId message) const { spend_copy(copy.kind, bytes, message); }
  // What is empty is not copied.
  void spend_copy(const StepKind& kind, Bytes bytes, MessageId message) const {
    if (bytes == Bytes()) return;
    if (memory != nullptr) return memory->move(*Thread::current(), kind, copy.rate, bytes, message);
    Thread::current()->spend(kind, copy.rate.time_for(bytes), message, bytes.count());
  }
  // The same for an errand.
  Errand copies(const StepKind& kind, Bytes bytes, MessageId message) const {
    return bytes == Bytes() ? Errand() : moves_through(memory, kind, copy.rate, bytes, message);
  }
  void spend_combine(std::uint64_t operations, Arithmetic arithmetic) const {
    Thread::current()->spend(combine_of(arithmetic), operations);
  }
  void spend_clock_read() const { Thread::current()->spend(clock_read); }
};

}  // namespace hindcast::mpi
