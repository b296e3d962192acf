// A unit beside a node's processors that runs the handlers of messages to all ranks of the node, one after the other.
#pragma once

#include "mpi_impl/transport/message_exchange.hpp"
#include "mpi_impl/transport/target_handlers.hpp"

namespace hindcast::mpi {

class HandlerUnit final : private EventSink {
 public:
  struct Numbers {
    RatedStep copy;
    RatedStep combine;
  };
  // The exchange outlives it.
  HandlerUnit(MessageExchange& exchange, int node, const Numbers& numbers)
      : exchange_(exchange), node_(node), numbers_(numbers), owner_(exchange.engine().new_owner()) {}
  HandlerUnit(const HandlerUnit&) = delete;
  HandlerUnit& operator=(const HandlerUnit&) = delete;

  // In a handler: a message has arrived. Its handler runs when the unit has done this work.
  void work_on(Message& message, const HandlerWork& work);

 private:
  void fire(const Event& event) override;
  Time spend(const RatedStep& step, std::uint64_t amount, MessageId message, Time at) const;

  MessageExchange& exchange_;
  const int node_;
  const Numbers numbers_;
  EventOwner owner_;
  Time is_free_;
};

}  // namespace hindcast::mpi
