#include "mpi_impl/libraries/plain/message.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "mpi_impl/libraries/plain/device.hpp"

namespace hindcast::mpi {

Message& PlainMachine::new_message() {
  if (free_messages_ == nullptr) add_messages();
  auto& message = static_cast<Message&>(*free_messages_);
  free_messages_ = message.next;
  fetch_lines(free_messages_, 0, 2);
  message.is_captured = false;
  message.is_unexpected = false;
  return message;
}

void PlainMachine::free_message(Message& message) {
  if (message.is_captured) pool_.give_back(const_cast<void*>(message.payload), message.payload_bytes.count());
  message.message = 0;
  message.next = free_messages_;
  free_messages_ = &message;
}

void PlainMachine::add_messages() {
  constexpr std::size_t count = 64;
  Message* messages = all_messages_.emplace_back(std::make_unique<Message[]>(count)).get();
  for (std::size_t i = count; i > 0; --i) free_message(messages[i - 1]);
}

void PlainMachine::capture(Message& message) {
  const std::size_t bytes = message.payload_bytes.count();
  if (bytes == 0 || message.is_short || message.is_captured) return;
  void* copy = pool_.take(bytes);
  std::memcpy(copy, message.payload, bytes);
  message.payload = copy;
  message.is_captured = true;
}

void PlainMachine::deliver(Message& message, ReceiveOperation& receive) {
  const Bytes bytes = std::min(message.payload_bytes, receive.capacity);
  if (receive.landing != nullptr) {
    Landing* const opposite = message.send() != nullptr ? message.send()->opposite : nullptr;
    return std::exchange(receive.landing, nullptr)->land(message.payload, bytes, opposite);
  }
  if (bytes > Bytes()) std::memcpy(receive.data, message.payload, bytes.count());
}

void PlainMachine::fire(const Event& event) { submit(*reinterpret_cast<Message*>(event.data)); }

void PlainMachine::fetch(const Event& start, FetchLevel level) const {
  if (level == 0) network_.fetch(*reinterpret_cast<const Message*>(start.data));
}

// A long payload's receive is known by now, so the bytes move from buffer to buffer before the sender can use its own
// again.
void PlainMachine::entered(Transfer& data) {
  auto& message = static_cast<Message&>(data);
  deliver(message, *message.receive);
  if (message.send() == nullptr) return;
  SendOperation& send = *message.send();
  message.set_send(nullptr);
  send.device_state = nullptr;
  if (!send.cancel_in_progress) send.complete(message.injected);
}

void PlainMachine::arrived(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  peer(message.receiver_rank).device->arrived(message);
}

void PlainMachine::fetch(const Transfer& transfer, FetchLevel level) const {
  const auto& message = static_cast<const Message&>(transfer);
  const PlainPeer& peer = peers_[static_cast<std::size_t>(message.receiver_rank)];
  if (level > 0) return peer.device->fetch(message, *peer.thread, level);
  fetch_lines(peer.device, 0, 2);
  fetch_lines(peer.thread, 0, 4);
  if (!message.is_short) fetch_payload(message.payload, message.bytes);
}

}  // namespace hindcast::mpi
