// Protocol RTA: the sender requests, the receiver transfers the data by a get when it has matched the request, and
// acknowledges. Nothing is copied, unless the send is buffered by the library, so as to return at once.
#include <utility>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

namespace {

class RequestGet final : public T3eProtocol {
 public:
  Errand send(T3eEndpoint& sender, T3eMessage& first, SendOperation& send) const override {
    T3eOutgoing& outgoing = sender.expect_answer(first, send);
    const bool is_buffered = sender.buffer_if_room(outgoing);
    Errand put = sender.put(first, send.destination);
    return is_buffered ? sender.let_go_after(std::move(put), send) : std::move(put);
  }
  bool needs_stack(const T3eEndpoint& sender, const SendOperation& send) const override {
    return sender.may_buffer(send);
  }

  Errand receive(T3eEndpoint& receiver, T3eMessage& message, ReceiveOperation& receive, bool) const override {
    T3eOutgoing& outgoing = *message.outgoing;
    shmem::PeAnswer data = receiver.new_answer_to_get(outgoing);
    receiver.begin_get(data, outgoing, receive);
    while (!data.is_there()) co_await woken(data);
    receiver.end_get(outgoing);
    co_await receiver.answer(message, nullptr);
    receive.complete(receiver.thread().clock());
  }

  Errand answered(T3eEndpoint& sender, T3eOutgoing& outgoing, const T3eMessage&) const override {
    sender.end(outgoing);
    return {};
  }
};

const RequestGet the_request_get;

// The receive ends when its acknowledgement, for which nobody waits, has been made.
T3eProtocolCosts costs_of_request_get(const T3eStepCosts& steps) {
  const double taking = steps.receive_call + steps.get.fixed + steps.message - steps.way;
  return {{steps.send_call + steps.message + taking, steps.get.per_byte},
          {steps.send_call + steps.message - steps.way, 0},
          {taking, steps.get.per_byte}};
}

const Row<T3eProtocolRow> request_get_row{{"RTA", the_request_get, T3eReach::any, costs_of_request_get}};

}  // namespace

}  // namespace hindcast::mpi
