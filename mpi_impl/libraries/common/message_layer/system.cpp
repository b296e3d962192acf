#include "mpi_impl/libraries/common/message_layer/system.hpp"

#include <utility>

#include "mpi_impl/libraries/common/message_layer/node.hpp"

namespace hindcast::layer {

void System::add(Node& node) {
  const auto rank = static_cast<std::size_t>(node.number());
  if (ranks_.size() <= rank) ranks_.resize(rank + 1);
  ranks_[rank] = {&node, node.place()};
}

Message& System::new_message(MessageKind kind) {
  Message& message = messages_.take();
  message.kind = kind;
  message.sink = this;
  return message;
}

void System::free_message(Message& message) {
  message.message = 0;
  messages_.give_back(message);
}

// The program may change its memory once it has been read, and that is before the message arrives.
void System::entered(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  if (message.kind != MessageKind::data) return;
  capture(message);
  Completion* const sent = std::exchange(message.sent, nullptr);
  if (Node* sender = node(message.sender); sender != nullptr && !message.wants_acknowledgement)
    sender->send_has_ended();
  if (sent != nullptr) sent->complete(message.injected);
}

void System::arrived(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  if (Node* receiver = node(message.receiver)) return receiver->arrived(message);
  drop(message);
}

// Its receiver has gone. Who asks for a message back that was for it is told that it is too late.
void System::drop(Message& message) {
  if (message.kind != MessageKind::recall) return lose_message(message);
  message.kind = MessageKind::too_late;
  std::swap(message.sender, message.receiver);
  std::swap(message.from, message.to);
  submit(message);
}

}  // namespace hindcast::layer
