// Messages of one sender that may overtake each other, and that are taken in the order in which the sender has numbered
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hindcast::matching {

// `number_of` says which number a message has. The first is 0.
template <typename Message, std::uint32_t (*number_of)(const Message&)>
class InTurn {
 public:
  // Whether it is the message's turn. If not it is kept.
  bool is_next(Message& message) {
    if (number_of(message) == taken_) return true;
    early_.push_back(&message);
    return false;
  }
  // After a message has had its turn: the one whose turn is next, or null if it is not here.
  Message* next() {
    ++taken_;
    const auto early =
        std::find_if(early_.begin(), early_.end(), [&](const Message* kept) { return number_of(*kept) == taken_; });
    if (early == early_.end()) return nullptr;
    Message* const found = *early;
    early_.erase(early);
    return found;
  }

 private:
  std::uint32_t taken_ = 0;
  std::vector<Message*> early_;
};

}  // namespace hindcast::matching
