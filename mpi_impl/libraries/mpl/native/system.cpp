#include "mpi_impl/libraries/mpl/native/system.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "mpi_impl/libraries/mpl/native/node.hpp"

namespace hindcast::mpl {

void System::end_run(const std::string& line) const {
  end_run_(1, line);
  std::abort();  // it does not return
}

Message& System::new_message() {
  if (unused_messages_.empty()) unused_messages_.push_back(&messages_.emplace_back());
  Message& message = *std::construct_at(unused_messages_.back());
  unused_messages_.pop_back();
  message.sink = this;
  return message;
}

void System::free_message(Message& message) {
  if (message.is_captured) pool_.give_back(const_cast<void*>(message.payload), message.payload_bytes.count());
  message.is_captured = false;
  message.sent = nullptr;
  unused_messages_.push_back(&message);
}

void System::capture(Message& message) {
  const std::size_t bytes = message.payload_bytes.count();
  if (bytes == 0 || message.is_captured) return;
  void* copy = pool_.take(bytes);
  std::memcpy(copy, message.payload, bytes);
  message.payload = copy;
  message.is_captured = true;
}

void System::forget_sent(const Completion& sent) {
  if (sent.is_known()) return;
  const auto found =
      std::find_if(messages_.begin(), messages_.end(), [&](const Message& message) { return message.sent == &sent; });
  if (found == messages_.end()) return;
  capture(*found);
  found->sent = nullptr;
}

// The adapter has read the program's memory once the message is in the network, and the program may change it then.
void System::entered(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  capture(message);
  if (message.sent == nullptr) return;
  message.sent->complete(message.injected);
  message.sent = nullptr;
}

void System::arrived(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  message.receiver->arrived(message);
}

}  // namespace hindcast::mpl
