#include "mpi_impl/libraries/mpl/native/system.hpp"

#include <algorithm>

#include "mpi_impl/libraries/mpl/native/node.hpp"

namespace hindcast::mpl {

Message& System::new_message() {
  Message& message = messages_.take();
  message.sink = this;
  return message;
}

void System::free_message(Message& message) {
  message.sent = nullptr;
  messages_.give_back(message);
}

void System::forget_sent(const Completion& sent) {
  if (sent.is_known()) return;
  auto& messages = messages_.all();
  const auto found =
      std::find_if(messages.begin(), messages.end(), [&](const Message& message) { return message.sent == &sent; });
  if (found == messages.end()) return;
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
