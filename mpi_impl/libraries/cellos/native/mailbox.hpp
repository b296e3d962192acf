// A cell's messages of one space that wait in its ring buffer, and those who wait for one. CellOS matches them by
// domain, source and type, the latter two of which may be anything; of several the first that came.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_impl/libraries/cellos/native/in_ring_buffer.hpp"
#include "mpi_impl/libraries/cellos/native/message.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"

namespace hindcast::cellos {

class alignas(cache_line) Mailbox {
 public:
  Message* find(const matching::Key& pattern) { return static_cast<Message*>(queue_.find(pattern)); }
  void remove(Message& message) {
    queue_.remove(message);
    if (in_ring_buffer_ != nullptr) [[unlikely]]
      no_longer_in_ring_buffer(message);
  }
  // Those of the queue that lie in the ring buffer, until the next that is put or removed.
  const InRingBuffer& in_ring_buffer() {
    if (in_ring_buffer_ == nullptr) in_ring_buffer_ = std::make_unique<InRingBuffer>(all());
    return *in_ring_buffer_;
  }
  // One of these has been copied out of the ring buffer, and stays in the queue. Returns what it took up there.
  Bytes unload(Message& message) {
    in_ring_buffer_->remove(message);
    return std::exchange(message.bytes, Bytes());
  }
  // Something that came before a message of the queue keeps its place in the ring buffer as long as that does.
  void enlarge(Message& message, Bytes by) {
    message.bytes = message.bytes + by;
    if (in_ring_buffer_ != nullptr) in_ring_buffer_->enlarged(by);
  }
  // How many came before one of them; all if that is null.
  int passed_before(const Message* message) const {
    int passed = 0;
    queue_.for_each([&](const matching::Item& item) { passed += message == nullptr || item.turn < message->turn; });
    return passed;
  }
  template <typename Visit>
  void for_each(Visit visit) const {
    queue_.for_each([&](matching::Item& item) { visit(static_cast<Message&>(item)); });
  }
  // In the order in which they came.
  std::vector<Message*> all() const {
    std::vector<Message*> messages;
    for_each([&](Message& message) { messages.push_back(&message); });
    std::sort(messages.begin(), messages.end(), [](auto* a, auto* b) { return a->turn < b->turn; });
    return messages;
  }
  std::vector<Message*> all_of(std::uint32_t domain) const {
    std::vector<Message*> messages = all();
    std::erase_if(messages, [&](const Message* message) { return message->key.context != domain; });
    return messages;
  }

  void expect(Expected& expected) { expected_.add(expected, expected.key); }
  void forget(Expected& expected) { expected_.remove(expected); }

  // Who will get a message with this key; null if nobody waits for one.
  const Expected* first_that_expects(const matching::Key& key) const {
    return static_cast<const Expected*>(expected_.find(key));
  }
  bool expects(const matching::Key& key) const { return first_that_expects(key) != nullptr; }
  // Whether a call waits in the kernel, now, for a message with this key.
  bool is_waited_for(const matching::Key& key) const {
    const Expected* expected = first_that_expects(key);
    return expected != nullptr && expected->taker->is_waiting(*expected);
  }

  // To whoever waits for it, or into the queue. False: nobody waited.
  bool put(Message& message) {
    if (auto* expected = static_cast<Expected*>(expected_.take(message.key))) {
      expected->taker->take(*expected, message);
      return true;
    }
    queue_.add(message);
    if (in_ring_buffer_ != nullptr) [[unlikely]]
      in_ring_buffer_->add(message);
    return false;
  }

 private:
  void no_longer_in_ring_buffer(Message& message) {
    in_ring_buffer_->remove(message);
    if (queue_.size() == 0) in_ring_buffer_.reset();
  }

  matching::PostedReceives expected_;
  matching::Unexpected queue_;
  std::unique_ptr<InRingBuffer> in_ring_buffer_;  // once it has been asked for, until the queue is empty
};

}  // namespace hindcast::cellos
