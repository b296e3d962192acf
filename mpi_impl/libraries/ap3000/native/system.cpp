#include "mpi_impl/libraries/ap3000/native/system.hpp"

#include <utility>

#include "mpi_impl/libraries/ap3000/native/node.hpp"

namespace hindcast::ap3000 {

System::System(Engine& engine, Network& network, const SBus& sbus, Costs costs, EndRun end_run)
    : engine_(engine),
      sbus_(sbus),
      network_(engine, network, slower_of(sbus.message_controller, sbus.bandwidth),
               StepKind{"wait for the SBus", "sbus.bandwidth"}),
      costs_(std::move(costs)),
      end_run_(std::move(end_run)) {}

void System::add(Node& node) {
  const auto rank = static_cast<std::size_t>(node.number());
  if (ranks_.size() <= rank) ranks_.resize(rank + 1);
  ranks_[rank] = {&node, node.place()};
}

SystemBuffer& System::buffer_at(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (places_.size() <= index) places_.resize(index + 1);
  std::unique_ptr<Place>& place = places_[index];
  if (place == nullptr) {
    place = std::make_unique<Place>(engine_, sbus_, costs_.system_buffer);
    network_.add(number, place->bus);
  }
  return place->buffer;
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
  Node* const receiver = node(message.receiver);
  if (receiver != nullptr) return receiver->arrived(message);
  drop(message);
}

// Its receiver has gone. Who asks for a message back that was for it is told that it is too late.
void System::drop(Message& message) {
  if (message.kind == MessageKind::recall) {
    message.kind = MessageKind::too_late;
    std::swap(message.sender, message.receiver);
    std::swap(message.from, message.to);
    return submit(message);
  }
  if (message.room != nullptr) static_cast<SystemBuffer*>(message.room)->release(message.bytes);
  free_message(message);
}

}  // namespace hindcast::ap3000
