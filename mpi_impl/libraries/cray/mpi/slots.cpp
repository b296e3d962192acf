// Protocol Tn: the data is copied into several slots of the queue that lie one behind the other, and copied out of
// them: while the queue is absorbed, into the receive's buffer or, if there is no receive yet, into the library's, from
// where it is copied once more. Only a queue of slots can take it.
#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

namespace {

const StepKind copy_in{"copy to the slots", "processor.copy_bandwidth"};

class Slots final : public T3eProtocol {
 public:
  void pack(T3eEndpoint& sender, T3eMessage& first, const SendOperation& send) const override {
    first.slots = sender.slots_for(send.bytes);
    first.lies_in_slots = true;
    first.data_in_slots = sender.copy_in_library(send.data, send.bytes);
  }
  Errand send(T3eEndpoint& sender, T3eMessage& first, SendOperation& send) const override {
    co_await sender.local().copies(copy_in, send.bytes, send.message);
    const bool is_synchronous = send.mode == SendMode::synchronous;
    if (is_synchronous) sender.expect_answer(first, send);
    co_await sender.put(first, send.destination);
    if (!is_synchronous) sender.let_go(send);
  }
  bool needs_stack(const T3eEndpoint&, const SendOperation&) const override { return false; }

  Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive,
                 bool was_unexpected) const override {
    receiver.deliver(message, receive);
    receive.is_left_to_copy = was_unexpected;
    if (message.outgoing != nullptr) return receiver.answer_and_complete(message, receive);
    receive.complete(receiver.thread().clock());
    receiver.free(message);
    return {};
  }

  Errand answered(T3eEndpoint& sender, T3eOutgoing& outgoing, const T3eMessage&) const override {
    sender.end(outgoing);
    return {};
  }
};

const Slots the_slots;

// The data is copied on either side.
T3eProtocolCosts costs_of_slots(const T3eStepCosts& steps) {
  return {{steps.send_call + steps.receive_call + steps.message, 2 * steps.copied_byte + steps.slot_byte},
          {steps.send_call + steps.message - steps.way, steps.copied_byte + steps.slot_byte},
          {steps.receive_call + steps.handling, steps.copied_byte}};
}

const Row<T3eProtocolRow> slots_row{{"Tn", the_slots, T3eReach::slots, costs_of_slots}};

}  // namespace

}  // namespace hindcast::mpi
