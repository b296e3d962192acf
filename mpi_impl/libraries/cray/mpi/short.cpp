// Protocol T: very short data is packed into the protocol message. The send is over when that has been put, or, if it
// is synchronous, when the receiver has answered.
#include <cstring>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

namespace {

class Short final : public T3eProtocol {
 public:
  void send(T3eEndpoint& sender, SendOperation& send) const override {
    T3eMessage& message = sender.new_first(*this, send);
    message.data = message.short_data;
    if (send.bytes > Bytes()) std::memcpy(message.data, send.data, send.bytes.count());
    if (send.mode == SendMode::synchronous) sender.expect_answer(message, send);
    carry_out(sender.put(message, send.destination));
    if (send.mode != SendMode::synchronous) send.complete(sender.thread().clock());
  }

  Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive, bool) const override {
    receiver.deliver(message, receive);
    if (message.outgoing != nullptr) return receiver.answer_and_complete(message, receive);
    receive.complete(receiver.thread().clock());
    return {};
  }

  Errand answered(T3eEndpoint& sender, T3eOutgoing& outgoing, const T3eMessage&) const override {
    sender.end(outgoing);
    return {};
  }
};

const Short the_short;

T3eProtocolCosts costs_of_short(const T3eStepCosts& steps) {
  return {{steps.send_call + steps.receive_call + steps.message, 0},
          {steps.send_call + steps.message - steps.way, 0},
          {steps.receive_call + steps.handling, 0}};
}

const Row<T3eProtocolRow> short_row{{"T", the_short, T3eReach::message, costs_of_short}};

}  // namespace

}  // namespace hindcast::mpi
