// Messages that have arrived and wait for their receive. Each is found by its key; an index for a kind of wildcard is
// kept from the first time that somebody asks with it.
#pragma once

#include <algorithm>
#include <vector>

#include "mpi_impl/matching/index.hpp"

namespace hindcast::matching {

class Unexpected {
 public:
  void add(Item& message) {
    message.turn = turns_++;
    for (Index& index : by_mask_)
      if (in_use(index)) index.add(message);
  }

  void remove(Item& message) {
    for (Index& index : by_mask_)
      if (in_use(index)) index.remove(message);
  }

  // The first that came of those which `pattern` takes; null if there is none.
  Item* find(const Key& pattern) {
    const WildMask mask = mask_of(pattern);
    if (!wanted_[mask]) build(mask);
    return by_mask_[mask].first(pattern);
  }

  std::size_t size() const { return by_mask_[0].size(); }

 private:
  bool in_use(const Index& index) const { return wanted_[&index - by_mask_]; }

  void build(WildMask mask) {
    std::vector<Item*> messages;
    by_mask_[0].for_each([&](Item& message) { messages.push_back(&message); });
    std::sort(messages.begin(), messages.end(), [](const Item* a, const Item* b) { return a->turn < b->turn; });
    wanted_[mask] = true;
    for (Item* message : messages) by_mask_[mask].add(*message);
  }

  Index by_mask_[wild_masks] = {Index(0), Index(1), Index(2), Index(3)};
  bool wanted_[wild_masks] = {true, false, false, false};
  std::uint64_t turns_ = 0;
};

}  // namespace hindcast::matching
