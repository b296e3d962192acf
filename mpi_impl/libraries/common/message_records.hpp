// The records of what is under way: of messages, and of payloads that their senders' memory no longer has.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast {

// Records are used again and never freed before the run ends: who keeps a pointer to one, and something that tells its
// uses apart, can tell whether it still is that one.
template <typename Record>
class Records {
 public:
  // As it is when it is made.
  Record& take() {
    if (unused_.empty()) unused_.push_back(&all_.emplace_back());
    Record& record = *std::construct_at(unused_.back());
    unused_.pop_back();
    return record;
  }
  void give_back(Record& record) { unused_.push_back(&record); }

  // Those that are not used now among them.
  std::deque<Record>& all() { return all_; }

 private:
  std::deque<Record> all_;
  std::vector<Record*> unused_;
};

// Of messages that have `payload`, `payload_bytes`, and `is_captured` if the payload is a copy of their own.
template <typename Message>
class MessageRecords : private Records<Message> {
 public:
  using Records<Message>::all;
  using Records<Message>::take;

  void give_back(Message& message) {
    if (message.is_captured) pool_.give_back(const_cast<void*>(message.payload), message.payload_bytes.count());
    message.is_captured = false;
    Records<Message>::give_back(message);
  }

  // Its payload is read from the sender's memory now.
  void capture(Message& message) {
    const std::size_t bytes = message.payload_bytes.count();
    if (bytes == 0 || message.is_captured) return;
    void* copy = pool_.take(bytes);
    copy_bytes(copy, message.payload, bytes);
    message.payload = copy;
    message.is_captured = true;
  }

 private:
  BufferPool pool_;
};

}  // namespace hindcast
