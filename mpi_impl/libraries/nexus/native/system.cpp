#include "mpi_impl/libraries/nexus/native/system.hpp"

#include <algorithm>

namespace hindcast::nexus {

void System::place(const std::string& machine, int processors) {
  auto known = std::find_if(machines_.begin(), machines_.end(), [&](const auto& used) { return used.name == machine; });
  if (known == machines_.end()) known = machines_.insert(known, {machine, processors});
  known->contexts.push_back(contexts() - 1);
  machine_of_.push_back(static_cast<int>(known - machines_.begin()));
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
