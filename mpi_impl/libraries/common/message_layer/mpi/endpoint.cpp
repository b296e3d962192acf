#include "mpi_impl/libraries/common/message_layer/mpi/endpoint.hpp"

#include <new>
#include <utility>

#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

matching::Key key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
matching::Key key_of(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }
Envelope envelope_of(const layer::Message& message) {
  return {message.key.context, message.key.source, message.key.tag};
}

// A receive of MPI's, as the layer has it: it stands in the operation itself.
class LayerReceive final : public layer::Receive {
 public:
  static LayerReceive& begin(ReceiveOperation& operation) {
    static_assert(sizeof(LayerReceive) <= sizeof(ReceiveOperation::endpoint_room));
    auto* receive = new (operation.endpoint_room) LayerReceive;
    operation.endpoint_state = receive;
    return *receive;
  }

 private:
  void take(const layer::Message& message, const Match& match) override {
    ReceiveOperation& operation = ReceiveOperation::around(this);
    operation.endpoint_state = nullptr;
    operation.envelope = envelope_of(message);
    operation.bytes = message.payload_bytes;
    operation.message = message.message;
    operation.is_left_to_copy = match.is_in_buffer;
    const Bytes bytes = operation.received();
    if (operation.landing != nullptr)
      std::exchange(operation.landing, nullptr)->land(message.payload, bytes, nullptr);
    else if (bytes > Bytes())
      copy_bytes(operation.data, message.payload, bytes.count());
    operation.complete(match.at);
  }
};

// Null if a receive has taken it, and its sender has been told what it wants to know.
layer::Message* message_of(const SendOperation& send) {
  auto* message = static_cast<layer::Message*>(send.endpoint_state);
  return message != nullptr && message->message == send.message ? message : nullptr;
}

}  // namespace

// --- on the rank's threads ---

void LayerEndpoint::send(SendOperation& send) {
  send.message = node_.take_number();
  Thread::current()->spend(settings_.send, send.message);
  layer::Outgoing outgoing{send.destination, key_of(send.envelope), send.data, send.bytes};
  outgoing.number = send.message;
  (send.mode == SendMode::synchronous ? outgoing.acknowledged : outgoing.sent) = &send;
  send.endpoint_state = &node_.send(outgoing);
}

void LayerEndpoint::begin_receive() {
  if (settings_.post) Thread::current()->spend(*settings_.post);
}

void LayerEndpoint::receive(ReceiveOperation& receive) {
  begin_receive();
  node_.post(LayerReceive::begin(receive), key_of(receive.pattern));
}

void LayerEndpoint::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  if (settings_.receive) Thread::current()->spend(*settings_.receive, receive.message);
  node_.end_receive(receive.left_to_copy(), receive.bytes, receive.message);
}

bool LayerEndpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const layer::Message* message = node_.find(key_of(pattern));
  if (message == nullptr) {
    if (completion != nullptr) probes_.add(pattern, *completion);
    return false;
  }
  envelope = envelope_of(*message);
  bytes = message->payload_bytes;
  return true;
}

bool LayerEndpoint::take(const Pattern& pattern, TakenMessage& taken) {
  layer::Message* message = node_.find(key_of(pattern));
  if (message == nullptr) return false;
  node_.set_aside(*message);
  taken = {message, envelope_of(*message), message->payload_bytes};
  return true;
}

void LayerEndpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  begin_receive();
  node_.receive_set_aside(*static_cast<layer::Message*>(taken.endpoint_state), LayerReceive::begin(receive));
}

void LayerEndpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // it has its message
  node_.withdraw(*static_cast<LayerReceive*>(receive.endpoint_state));
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

void LayerEndpoint::cancel(SendOperation& send) {
  layer::Message* message = message_of(send);
  if (message == nullptr || !layer::Node::may_be_recalled(*message)) return;
  send.reset();
  send.cancel_in_progress = true;
  node_.recall(*message, &send);
}

void LayerEndpoint::release_buffer(SendOperation& send) {
  if (layer::Message* message = message_of(send)) node_.forget(*message);
}

// --- in handlers ---

void LayerEndpoint::came_before_its_receive(const layer::Message& message) {
  while (const auto probe = probes_.take(envelope_of(message))) {
    probe->completion->message = message.message;
    probe->completion->complete(message.arrived_at);
  }
}

void LayerEndpoint::recall_answered(void* send_recalled, bool was_in_time) {
  auto& send = *static_cast<SendOperation*>(send_recalled);
  send.cancelled = was_in_time;
  send.cancel_in_progress = false;
  send.complete(node_.system().engine().now());
}

}  // namespace hindcast::mpi
