#include "mpi_impl/libraries/mpich/mpi/endpoint.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "mpi_impl/libraries/common/waiting.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::mpi {

namespace {

matching::Key key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
matching::Key key_of(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }

void deliver(ReceiveOperation& receive, const void* payload) {
  const Bytes bytes = receive.received();
  if (receive.landing != nullptr)
    std::exchange(receive.landing, nullptr)->land(payload, bytes, nullptr);
  else if (bytes > Bytes())
    copy_bytes(receive.data, payload, bytes.count());
}

// A receive in progress: it stands in the operation itself.
class MpichReceive final : public matching::Item, public ChannelReceive {
 public:
  static MpichReceive& begin(ReceiveOperation& operation) {
    static_assert(sizeof(MpichReceive) <= sizeof(ReceiveOperation::endpoint_room));
    auto* receive = new (operation.endpoint_room) MpichReceive;
    operation.endpoint_state = receive;
    return *receive;
  }
  static MpichReceive& in(ReceiveOperation& operation) {
    return *std::launder(reinterpret_cast<MpichReceive*>(operation.endpoint_room));
  }
  ReceiveOperation& operation() { return ReceiveOperation::around(this); }

 private:
  void land(const void* payload, Bytes, Time at) override {
    deliver(operation(), payload);
    operation().complete(at);
  }
};

class DataWait final : public Wait {
 public:
  explicit DataWait(int to) : to_(to) {}
  BlockedOn describe() const override { return {"MPID_SendChannel", fmt::format("of data to rank {}", to_), {to_}}; }

 private:
  int to_;
};

}  // namespace

void MpichEndpoint::expect_several_threads() {
  if (threads_in_turn_ == nullptr) threads_in_turn_ = std::make_unique<ThreadsInTurn>(rank_.main_thread().engine());
}

// --- sending ---

void MpichEndpoint::choose_for(std::uint32_t context) {
  if (choices_ != nullptr) channel_.choose(choices_->of(context));
}

void MpichEndpoint::send(SendOperation& send) {
  choose_for(send.envelope.context);
  Thread::current()->spend(settings_.send, upcoming_message());
  send.message = channel_.take_message_number();
  const bool is_answered = send.mode == SendMode::synchronous;
  if (is_answered) awaiting_answer_.emplace(send.message, &send);
  const bool is_in_one = send.bytes <= settings_.in_one_max;
  const ControlPacket packet{is_in_one ? ControlPacketKind::with_data : ControlPacketKind::envelope,
                             is_answered,
                             rank_.id,
                             send.envelope,
                             send.bytes.count(),
                             send.message,
                             order_.next_to(send.destination, send.envelope.context)};
  is_in_one ? send_in_one(send, packet) : send_in_two(send, packet);
}

void MpichEndpoint::send_in_one(SendOperation& send, const ControlPacket& packet) {
  local().spend_copy(settings_.copy_in, send.bytes, send.message);
  channel_.send_control(send.destination, packet, send.data, send.bytes);
  send.is_captured = !packet.is_answered;
  if (!packet.is_answered) send.complete(Thread::current()->clock());
}

// Who waits for an answer does so when the data has left.
void MpichEndpoint::send_in_two(SendOperation& send, const ControlPacket& packet) {
  channel_.send_control(send.destination, packet, nullptr, Bytes());
  if (!packet.is_answered) return channel_.send_channel(send.destination, send.message, send.data, send.bytes, send);
  Completion sent;
  channel_.send_channel(send.destination, send.message, send.data, send.bytes, sent);
  wait_for(sent, DataWait(send.destination));
}

void MpichEndpoint::send_packet(int to, ControlPacketKind kind, MessageId message) {
  channel_.send_control(to, {.kind = kind, .from = rank_.id, .message = message}, nullptr, Bytes());
}

// A freed request's send goes on: nobody is told of its end.
void MpichEndpoint::release_buffer(SendOperation& send) {
  channel_.forget_sent(send);
  const auto awaiting = awaiting_answer_.find(send.message);
  if (awaiting != awaiting_answer_.end() && awaiting->second == &send) awaiting_answer_.erase(awaiting);
}

// Its place has been given to another: nobody answers there.
bool MpichEndpoint::has_gone(int rank) const {
  Thread::current()->settle();
  return rank_.engine.ranks()[static_cast<std::size_t>(rank)]->library == nullptr;
}

void MpichEndpoint::cancel(SendOperation& send) {
  channel_.forget_sent(send);
  if (has_gone(send.destination)) {
    awaiting_answer_.erase(send.message);
    if (!send.is_known()) send.complete(Thread::current()->clock());
    return;
  }
  send.reset();
  send.cancel_in_progress = true;
  awaiting_answer_[send.message] = &send;
  send_packet(send.destination, ControlPacketKind::cancel, send.message);
}

// --- receiving ---

void MpichEndpoint::receive(ReceiveOperation& receive) {
  choose_for(receive.pattern.context);
  auto* message = static_cast<ControlMessage*>(unexpected_.find(key_of(receive.pattern)));
  if (message == nullptr) return posted_.add(MpichReceive::begin(receive), key_of(receive.pattern));
  unexpected_.remove(*message);
  match(*message, receive);
}

void MpichEndpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  match(*static_cast<ControlMessage*>(taken.endpoint_state), receive);
}

void MpichEndpoint::match(ControlMessage& message, ReceiveOperation& receive) {
  const ControlPacket packet = message.packet;
  MpichReceive& data = MpichReceive::begin(receive);
  receive.endpoint_state = nullptr;
  receive.envelope = packet.envelope;
  receive.bytes = Bytes(packet.bytes);
  receive.message = packet.message;
  data.is_begun = packet.kind == ControlPacketKind::envelope;
  if (data.is_begun) {
    channel_.receive_from_channel(packet.from, packet.message, data);
  } else {
    local().spend_copy(settings_.copy_out, receive.received(), packet.message);
    deliver(receive, message.data);
    receive.complete(Thread::current()->clock());
  }
  channel_.free_control(message);
  if (packet.is_answered) send_packet(packet.from, ControlPacketKind::matched, packet.message);
}

void MpichEndpoint::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  MpichReceive& data = MpichReceive::in(receive);
  if (data.is_begun) channel_.end_receive(data, receive.message);
  Thread::current()->spend(settings_.receive, receive.message);
}

void MpichEndpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // it has its message
  posted_.remove(MpichReceive::in(receive));
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

bool MpichEndpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const auto* message = static_cast<ControlMessage*>(unexpected_.find(key_of(pattern)));
  if (message == nullptr) {
    if (completion != nullptr) probes_.add(pattern, *completion);
    return false;
  }
  envelope = message->packet.envelope;
  bytes = Bytes(message->packet.bytes);
  return true;
}

bool MpichEndpoint::take(const Pattern& pattern, TakenMessage& taken) {
  auto* message = static_cast<ControlMessage*>(unexpected_.find(key_of(pattern)));
  if (message == nullptr) return false;
  unexpected_.remove(*message);
  taken = {message, message->packet.envelope, Bytes(message->packet.bytes)};
  return true;
}

// --- progress ---

// A gate is opened by what the device does, and by handlers of the channel's: whether it is open has to be looked at in
// time.
void MpichEndpoint::wait(Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  for (;;) {
    if (threads_in_turn_ != nullptr) threads_in_turn_->let_others_in(gate, why);
    if (gate.is_open()) return;
    thread.settle(&why);
    if (gate.is_open()) return;
    if (ControlMessage* message = channel_.receive_any_control(gate, why)) handle(*message);
  }
}

void MpichEndpoint::poll(const Wait& why) {
  const Gate open(*Thread::current());
  while (channel_.is_control_available(why)) {
    Thread::current()->settle(&why);
    if (ControlMessage* message = channel_.receive_any_control(open, why)) handle(*message);
  }
}

void MpichEndpoint::handle(ControlMessage& message) {
  switch (message.packet.kind) {
    case ControlPacketKind::with_data:
    case ControlPacketKind::envelope:
      return messages_have_come(message);
    case ControlPacketKind::cancel:
      try_to_cancel(message.packet);
      break;
    case ControlPacketKind::matched:
    case ControlPacketKind::cancelled:
    case ControlPacketKind::too_late:
      answered(message.packet);
      break;
  }
  channel_.free_control(message);
}

// Those whose turn it is.
void MpichEndpoint::messages_have_come(ControlMessage& message) {
  if (!order_.is_next(message)) return;
  for (ControlMessage* next = &message; next != nullptr;) {
    const ControlPacket packet = next->packet;
    message_has_come(*next);
    next = order_.next_after(packet);
  }
}

void MpichEndpoint::message_has_come(ControlMessage& message) {
  const ControlPacket& packet = message.packet;
  if (auto* posted = static_cast<MpichReceive*>(posted_.take(key_of(packet.envelope))))
    return match(message, posted->operation());
  if (packet.kind == ControlPacketKind::with_data)
    local().spend_copy(settings_.copy_aside, Bytes(packet.bytes), packet.message);
  message.key = key_of(packet.envelope);
  unexpected_.add(message);
  while (const auto probe = probes_.take(packet.envelope)) {
    probe->completion->message = packet.message;
    probe->completion->complete(Thread::current()->clock());
  }
}

void MpichEndpoint::try_to_cancel(const ControlPacket& question) {
  ControlMessage* wanted = nullptr;
  unexpected_.for_each([&](matching::Item& item) {
    auto& message = static_cast<ControlMessage&>(item);
    if (message.packet.message == question.message) wanted = &message;
  });
  if (wanted != nullptr) {
    unexpected_.remove(*wanted);
    if (wanted->packet.kind == ControlPacketKind::envelope) channel_.drop_from_channel(question.from, question.message);
    channel_.free_control(*wanted);
  }
  send_packet(question.from, wanted != nullptr ? ControlPacketKind::cancelled : ControlPacketKind::too_late,
              question.message);
}

void MpichEndpoint::answered(const ControlPacket& answer) {
  const auto awaiting = awaiting_answer_.find(answer.message);
  if (awaiting == awaiting_answer_.end()) return;  // its request has been freed
  SendOperation& send = *awaiting->second;
  if (answer.kind == ControlPacketKind::matched && send.cancel_in_progress) return;  // the other answer is on its way
  awaiting_answer_.erase(awaiting);
  send.cancelled = answer.kind == ControlPacketKind::cancelled;
  send.cancel_in_progress = false;
  send.complete(Thread::current()->clock());
}

}  // namespace hindcast::mpi
