#include "mpi_impl/libraries/nexus/native/system.hpp"

#include <cstdlib>

namespace hindcast::nexus {

void System::end_run(const std::string& line) const {
  end_run_(1, line);
  std::abort();  // it does not return
}

Message& System::new_message() {
  if (unused_messages_.empty()) return messages_.emplace_back();
  Message& message = *unused_messages_.back();
  unused_messages_.pop_back();
  return message;
}

void System::free_message(Message& message) {
  message = Message();
  unused_messages_.push_back(&message);
}

}  // namespace hindcast::nexus
