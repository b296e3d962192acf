// Protocol RAT: the sender requests, the receiver acknowledges with the address of its buffer when it has matched the
// request, the sender transfers the data by a put and, when that is written, says so. It takes a protocol message more
// than RTA, and the data of a send that is not synchronous is copied first.
#include <utility>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

namespace {

class RequestPut final : public T3eProtocol {
 public:
  Errand send(T3eEndpoint& sender, T3eMessage& first, SendOperation& send) const override {
    T3eOutgoing& outgoing = sender.expect_answer(first, send);
    const bool is_buffered = sender.buffer_if_room(outgoing);
    if (!is_buffered && send.mode != SendMode::synchronous) sender.copy_data(outgoing);
    Errand put = sender.put(first, send.destination);
    return is_buffered ? sender.let_go_after(std::move(put), send) : std::move(put);
  }
  bool needs_stack(const T3eEndpoint&, const SendOperation& send) const override {
    return send.mode != SendMode::synchronous;
  }

  Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive, bool) const override {
    return receiver.answer(message, &receive);
  }

  Errand answered(T3eEndpoint& sender, T3eOutgoing& outgoing, const T3eMessage& answer) const override {
    ReceiveOperation& receive = *answer.receive;
    co_await sender.put_data(outgoing, receive);
    co_await sender.tell_last(outgoing, receive);
    sender.end(outgoing);
  }
};

const RequestPut the_request_put;

// A request, an answer, and the message that tells of the put. Of standard sends, whose data is copied.
T3eProtocolCosts costs_of_request_put(const T3eStepCosts& steps) {
  const double put_byte = steps.put.per_byte + steps.copied_byte;
  return {{steps.send_call + steps.receive_call + 3 * steps.message + steps.put.fixed, put_byte},
          {steps.send_call + 2 * (steps.message - steps.way) + steps.put.fixed, put_byte},
          {steps.receive_call + 2 * steps.message + steps.put.fixed, steps.put.per_byte}};
}

const Row<T3eProtocolRow> request_put_row{{"RAT", the_request_put, T3eReach::any, costs_of_request_put}};

}  // namespace

}  // namespace hindcast::mpi
