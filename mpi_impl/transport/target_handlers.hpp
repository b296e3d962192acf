// Messages that run a handler at their target, without a receive there: when the target's library works on what has
// arrived, which may be without the target's processor, by interrupt or in a call that makes progress.
#pragma once

#include <cstdint>

#include "mpi_impl/transport/arithmetic.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

// As it is sent: what lies in two places follows each other in the message.
struct TwoParts {
  const void* first;
  Bytes first_bytes;
  const void* second = nullptr;
  Bytes second_bytes;
  Bytes bytes() const { return first_bytes + second_bytes; }
};

// As its handler finds it.
struct HandledMessage {
  int from;  // a rank of the engine's
  const void* data;
  Bytes bytes;
  Time at;  // when the work on it is over
};

// What a handler does with a message, beside what any message takes, of the time of whoever runs it.
struct HandlerWork {
  Bytes copied;
  std::uint64_t combined = 0;  // elements
  Arithmetic arithmetic = Arithmetic::floating;
};

class TargetHandler {
 public:
  virtual HandlerWork work_on(const void* /*data*/, Bytes) const { return {}; }
  // It must not give way, and what it sends is sent by TargetHandlers::reply.
  virtual void handle(const HandledMessage& message) = 0;

 protected:
  ~TargetHandler() = default;
};

class TargetHandlers {
 public:
  // For messages with this number that arrive here.
  virtual void set_handler(std::uint32_t number, TargetHandler& handler) = 0;
  // By a thread of the rank's, at its clock, or by one of its handlers, at a time that is not past. The data is copied
  // at once. What threads send to a rank is handled there in the order of their program; replies may come at any time.
  virtual void send_to_handler(int to, std::uint32_t number, const TwoParts& data) = 0;
  virtual void reply_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) = 0;
  // The same of a reply that only says that something is done: by a signal, where the machine has one for that.
  virtual void signal_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) = 0;

 protected:
  ~TargetHandlers() = default;
};

}  // namespace hindcast::mpi
