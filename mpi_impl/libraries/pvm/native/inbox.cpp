#include "mpi_impl/libraries/pvm/native/inbox.hpp"

#include <algorithm>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

void Inbox::add(Message message) {
  Message& added = early_.emplace_back(std::move(message));
  if (!added.place) return join_others(added);
  auto& turns = turns_[added.envelope.source];
  if (!turns.is_next(added)) return;
  for (Message* next = &added; next != nullptr; next = turns.next()) join_others(*next);
}

void Inbox::join_others(const Message& message) {
  const auto place = std::find_if(early_.begin(), early_.end(), [&](const Message& each) { return &each == &message; });
  messages_.splice(messages_.end(), early_, place);
}

Message* Inbox::in_layer() {
  for (std::list<Message>* list : {&messages_, &early_})
    for (Message& message : *list)
      if (message.in_layer != nullptr) return &message;
  return nullptr;
}

const Message* Inbox::find(int tid, int tag, int context) const {
  const auto found = std::find_if(messages_.begin(), messages_.end(),
                                  [&](const Message& message) { return fits(message.envelope, tid, tag, context); });
  return found != messages_.end() ? &*found : nullptr;
}

std::optional<Message> Inbox::take(int tid, int tag, int context) {
  const Message* found = find(tid, tag, context);
  return found != nullptr ? std::optional(take(*found)) : std::nullopt;
}

Message Inbox::take(const Message& found) {
  const auto place =
      std::find_if(messages_.begin(), messages_.end(), [&](const Message& each) { return &each == &found; });
  Message taken = std::move(*place);
  messages_.erase(place);
  return taken;
}

// Those that the library sends by itself are in contexts below 0, and for no program.
bool Inbox::fits(const Envelope& envelope, const Handler& handler) {
  const int context = handler.context == any ? std::max(envelope.context, PvmBaseContext) : handler.context;
  return fits(envelope, handler.tid, handler.tag, context);
}

std::optional<Inbox::Handled> Inbox::take_handled() {
  if (handlers_.empty()) return std::nullopt;
  for (const Message& message : messages_)
    for (const Handler& handler : handlers_)
      if (fits(message.envelope, handler)) return Handled{take(message), handler};
  return std::nullopt;
}

int Inbox::add_handler(int tid, int tag, int context, std::function<int(int)> function) {
  const bool is_there = std::any_of(handlers_.begin(), handlers_.end(), [&](const Handler& handler) {
    return handler.tid == tid && handler.tag == tag && handler.context == context;
  });
  if (is_there) return -1;
  handlers_.push_back({next_handler_, tid, tag, context, std::move(function)});
  return next_handler_++;
}

bool Inbox::remove_handler(int id) {
  return std::erase_if(handlers_, [&](const Handler& handler) { return handler.id == id; }) > 0;
}

}  // namespace hindcast::pvm
