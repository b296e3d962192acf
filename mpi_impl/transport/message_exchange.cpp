#include "mpi_impl/transport/message_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "mpi_impl/transport/matching_endpoint.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"
#include "simulator/engine/memory/short_copy.hpp"

namespace hindcast::mpi {

MessageExchange::MessageExchange(Engine& engine, const Methods& methods, Progress progress)
    : engine_(engine),
      methods_(methods),
      only_method_(methods.all().size() == 1 ? &methods.all().front() : nullptr),
      progress_(progress) {
  for (const Method& method : methods.all()) sinks_.push_back({{*this, method}, {*this, method}});
}

Message& MessageExchange::new_message() {
  if (free_messages_ == nullptr) add_messages();
  auto& message = static_cast<Message&>(*free_messages_);
  free_messages_ = message.next;
  fetch_lines(free_messages_, 0, 2);
  message.is_captured = false;
  message.is_unexpected = false;
  return message;
}

void MessageExchange::free_message(Message& message) {
  if (message.is_captured) pool_.give_back(const_cast<void*>(message.payload), message.payload_bytes.count());
  message.message = 0;
  message.next = free_messages_;
  free_messages_ = &message;
}

void MessageExchange::add_messages() {
  constexpr std::size_t count = 64;
  Message* messages = all_messages_.emplace_back(std::make_unique<Message[]>(count)).get();
  for (std::size_t i = count; i > 0; --i) free_message(messages[i - 1]);
}

void MessageExchange::capture(Message& message) {
  const std::size_t bytes = message.payload_bytes.count();
  if (bytes == 0 || message.is_short || message.is_captured) return;
  void* copy = pool_.take(bytes);
  copy_bytes(copy, message.payload, bytes);
  message.payload = copy;
  message.is_captured = true;
}

void MessageExchange::give_payload(Message& message, const TwoParts& parts) {
  message.payload_bytes = parts.bytes();
  message.payload = nullptr;
  if (message.payload_bytes == Bytes()) return;
  auto* const copy = static_cast<std::byte*>(pool_.take(message.payload_bytes.count()));
  copy_short(copy, parts.first, parts.first_bytes.count());
  copy_short(copy + parts.first_bytes.count(), parts.second, parts.second_bytes.count());
  message.payload = copy;
  message.is_captured = true;
}

void MessageExchange::deliver(Message& message, ReceiveOperation& receive) {
  const Bytes bytes = std::min(message.payload_bytes, receive.capacity);
  if (receive.landing != nullptr) {
    Landing* const opposite = message.send() != nullptr ? message.send()->opposite : nullptr;
    return std::exchange(receive.landing, nullptr)->land(message.payload, bytes, opposite);
  }
  copy_short(receive.data, message.payload, bytes.count());
}

void MessageExchange::fire(const Event& event) { submit(*reinterpret_cast<Message*>(event.data)); }

// The event at its end has the lowest bit set.
void MessageExchange::Interlude::fire(const Event& event) {
  constexpr std::uint64_t is_over = 1;
  auto& message = *reinterpret_cast<Message*>(event.data & ~is_over);
  if ((event.data & is_over) != 0) return (exchange.*next)(message);
  Engine& engine = exchange.engine_;
  const FixedStep& step = step_of(exchange.method_of(message));
  const Time now = engine.now();
  if (Recorder* recorder = engine.recorder())
    recorder->in_hardware(message.from, Step{&step.kind, message.message, now, now + step.cost});
  engine.at(now + step.cost, EventKind::hardware, owner, *this, event.data | is_over);
}

void MessageExchange::fetch(const Event& start, FetchLevel level) const {
  const auto& message = *reinterpret_cast<const Message*>(start.data);
  if (level == 0) method_of(message).network->fetch(message, level);
}

// A long payload's receive is known by now, so the bytes move from buffer to buffer before the sender can use its own
// again.
void MessageExchange::data_entered(Message& message) {
  deliver(message, *message.receive);
  if (message.send() == nullptr) return;
  SendOperation& send = *message.send();
  message.set_send(nullptr);
  send.endpoint_state = nullptr;
  if (!send.cancel_in_progress) send.complete(message.injected);
}

void MessageExchange::arrived(Message& message) {
  MatchingEndpoint* const endpoint = peer(message.receiver_rank).endpoint;
  if (endpoint == nullptr) [[unlikely]]
    return arrived_at_nobody(message);
  endpoint->arrived(message);
}

// The rank has gone. Who asks it to give a message back has to have an answer.
void MessageExchange::arrived_at_nobody(Message& message) {
  if (message.kind != MessageKind::cancel) return free_message(message);
  message.kind = MessageKind::too_late_to_cancel;
  std::swap(message.sender_rank, message.receiver_rank);
  std::swap(message.from, message.to);
  submit(message);
}

void MessageExchange::fetch_for(const Message& message, FetchLevel level) const {
  const MessagePeer& peer = peers_[static_cast<std::size_t>(message.receiver_rank)];
  if (peer.endpoint == nullptr) return;
  if (level > 0) return peer.endpoint->fetch(message, *peer.thread, level);
  fetch_lines(peer.endpoint, 0, 2);
  fetch_lines(peer.thread, 0, 4);
  if (!message.is_short) fetch_payload(message.payload, message.bytes);
}

}  // namespace hindcast::mpi
