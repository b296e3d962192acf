// Protocol T: very short data is packed into the protocol message. The send is over when that has been put, or, if it
// is synchronous, when the receiver has answered.
#include <utility>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"
#include "simulator/engine/memory/short_copy.hpp"

namespace hindcast::mpi {

namespace {

class Short final : public T3eProtocol {
 public:
  void pack(T3eEndpoint&, T3eMessage& first, const SendOperation& send) const override {
    copy_short(first.short_data, send.data, send.bytes.count());
  }
  Errand send(T3eEndpoint& sender, T3eMessage& first, SendOperation& send) const override {
    const bool is_synchronous = send.mode == SendMode::synchronous;
    if (is_synchronous) sender.expect_answer(first, send);
    Errand put = sender.put(first, send.destination);
    return is_synchronous ? std::move(put) : sender.let_go_after(std::move(put), send);
  }
  bool needs_stack(const T3eEndpoint&, const SendOperation&) const override { return false; }

  Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive, bool) const override {
    receiver.deliver(message, receive);
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

const Short the_short;

T3eProtocolCosts costs_of_short(const T3eStepCosts& steps) {
  return {{steps.send_call + steps.receive_call + steps.message, 0},
          {steps.send_call + steps.message - steps.way, 0},
          {steps.receive_call + steps.handling, 0}};
}

const Row<T3eProtocolRow> short_row{{"T", the_short, T3eReach::message, costs_of_short}};

}  // namespace

}  // namespace hindcast::mpi
