// How the T3E's MPI moves the data of a message: a protocol for each way, in a file of its own that ends with the
// protocol's row. A send's first protocol message is matched by its receiver; what each side does then is the
// protocol's. One object of each serves all ranks: it has no state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mpi_impl/libraries/cray/mpi/message.hpp"
#include "mpi_impl/libraries/cray/mpi/protocol_costs.hpp"
#include "simulator/engine/rows.hpp"
#include "simulator/engine/thread/errand.hpp"

namespace hindcast::mpi {

class T3eProtocol {
 public:
  // In the program's call, and in no time: what of the data goes in the first protocol message, if any does.
  virtual void pack(T3eEndpoint&, T3eMessage& /*first*/, const SendOperation&) const {}
  // On the sender's thread: all up to its first protocol message, which is put once all is in it that has to be.
  virtual Errand send(T3eEndpoint& sender, T3eMessage& first, SendOperation& send) const = 0;
  // Whether `send` may have to give way on the thread's stack and nowhere else, as where it copies data by spend_copy.
  virtual bool needs_stack(const T3eEndpoint& sender, const SendOperation& send) const = 0;
  // On the receiver's thread: a receive has been found for a first message. The message ends with the receiver's
  // answer, or the protocol frees it.
  virtual Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive,
                         bool was_unexpected) const = 0;
  // On the sender's thread: the receiver's answer has come.
  virtual Errand answered(T3eEndpoint& sender, T3eOutgoing& outgoing, const T3eMessage& answer) const = 0;

 protected:
  ~T3eProtocol() = default;
};

// How much data a protocol can move, and what it needs for that.
enum class T3eReach : std::uint8_t {
  message,  // what fits into a protocol message; it is nobody's choice, but what all short data takes
  slots,    // what fits into a queue of slots, which the locked queue is
  any
};

struct T3eProtocolRow {
  const char* name;  // as the machine's file has it
  const T3eProtocol& protocol;
  T3eReach reach;
  T3eProtocolCosts (*costs)(const T3eStepCosts& steps);
};

// Of a name that is known to be one.
const T3eProtocolRow& t3e_protocol(std::string_view name);
// Of all protocols that reach so far, or farther: what can be chosen where that is needed.
std::vector<std::string> t3e_protocol_names(T3eReach least);

}  // namespace hindcast::mpi
