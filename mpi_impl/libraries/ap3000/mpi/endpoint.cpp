#include "mpi_impl/libraries/ap3000/mpi/endpoint.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace hindcast::mpi {

namespace {

matching::Key key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
matching::Key key_of(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }
Envelope envelope_of(const ap3000::Message& message) {
  return {message.key.context, message.key.source, message.key.tag};
}

// A receive of MPI's, as the layer has it: it stands in the operation itself.
class Ap3000Receive final : public ap3000::Receive {
 public:
  static Ap3000Receive& begin(ReceiveOperation& operation) {
    static_assert(sizeof(Ap3000Receive) <= sizeof(ReceiveOperation::endpoint_room));
    auto* receive = new (operation.endpoint_room) Ap3000Receive;
    operation.endpoint_state = receive;
    return *receive;
  }

 private:
  void take(const ap3000::Message& message, Time at) override {
    ReceiveOperation& operation = ReceiveOperation::around(this);
    operation.endpoint_state = nullptr;
    operation.envelope = envelope_of(message);
    operation.bytes = message.payload_bytes;
    operation.message = message.message;
    operation.is_left_to_copy = true;
    const Bytes bytes = operation.received();
    if (operation.landing != nullptr)
      std::exchange(operation.landing, nullptr)->land(message.payload, bytes, nullptr);
    else if (bytes > Bytes())
      std::memcpy(operation.data, message.payload, bytes.count());
    operation.complete(at);
  }
};

// Null if a receive has taken it, and its sender has been told what it wants to know.
ap3000::Message* message_of(const SendOperation& send) {
  auto* message = static_cast<ap3000::Message*>(send.endpoint_state);
  return message != nullptr && message->message == send.message ? message : nullptr;
}

}  // namespace

// --- on the rank's threads ---

void Ap3000Endpoint::send(SendOperation& send) {
  Thread::current()->spend(settings_.at_sender, node_.upcoming_message());
  send.message = node_.upcoming_message();
  ap3000::Outgoing outgoing{send.destination, key_of(send.envelope), send.data, send.bytes};
  (send.mode == SendMode::synchronous ? outgoing.acknowledged : outgoing.sent) = &send;
  send.endpoint_state = &node_.send(outgoing);
}

void Ap3000Endpoint::receive(ReceiveOperation& receive) {
  node_.post(Ap3000Receive::begin(receive), key_of(receive.pattern));
}

void Ap3000Endpoint::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  Thread::current()->spend(settings_.at_receiver, receive.message);
  node_.end_receive(nullptr, receive.left_to_copy(), receive.bytes, receive.message);
}

bool Ap3000Endpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const ap3000::Message* message = node_.find(key_of(pattern));
  if (message == nullptr) {
    if (completion != nullptr) probes_.add(pattern, *completion);
    return false;
  }
  envelope = envelope_of(*message);
  bytes = message->payload_bytes;
  return true;
}

bool Ap3000Endpoint::take(const Pattern& pattern, TakenMessage& taken) {
  ap3000::Message* message = node_.find(key_of(pattern));
  if (message == nullptr) return false;
  node_.set_aside(*message);
  taken = {message, envelope_of(*message), message->payload_bytes};
  return true;
}

void Ap3000Endpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  node_.receive_set_aside(*static_cast<ap3000::Message*>(taken.endpoint_state), Ap3000Receive::begin(receive));
}

void Ap3000Endpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // it has its message
  node_.withdraw(*static_cast<Ap3000Receive*>(receive.endpoint_state));
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

void Ap3000Endpoint::cancel(SendOperation& send) {
  ap3000::Message* message = message_of(send);
  if (message == nullptr || !ap3000::Node::may_be_recalled(*message)) return;
  send.reset();
  send.cancel_in_progress = true;
  node_.recall(*message, &send);
}

void Ap3000Endpoint::release_buffer(SendOperation& send) {
  if (ap3000::Message* message = message_of(send)) node_.forget(*message);
}

// --- in handlers ---

void Ap3000Endpoint::came_before_its_receive(const ap3000::Message& message) {
  while (const auto probe = probes_.take(envelope_of(message))) {
    probe->completion->message = message.message;
    probe->completion->complete(message.arrived_at);
  }
}

void Ap3000Endpoint::recall_answered(void* send_recalled, bool was_in_time) {
  auto& send = *static_cast<SendOperation*>(send_recalled);
  send.cancelled = was_in_time;
  send.cancel_in_progress = false;
  send.complete(node_.system().engine().now());
}

}  // namespace hindcast::mpi
