// Receives that wait for their message. Constant time, however many there are: a message is looked up once for each kind
// of wildcard in use, and of the receives found the one posted first takes it.
#pragma once

#include "mpi_impl/matching/index.hpp"

namespace hindcast::matching {

class Posted {
 public:
  void add(Item& receive) {
    receive.turn = turns_++;
    by_mask_[mask_of(receive.key)].add(receive);
  }

  void remove(Item& receive) { by_mask_[mask_of(receive.key)].remove(receive); }

  // The receive that takes a message with this key, removed; null if there is none.
  Item* take(const Key& message) {
    Item* earliest = nullptr;
    for (WildMask mask = 0; mask < wild_masks; ++mask) {
      Item* candidate = by_mask_[mask].first(masked(message, mask));
      if (candidate != nullptr && (earliest == nullptr || candidate->turn < earliest->turn)) earliest = candidate;
    }
    if (earliest != nullptr) remove(*earliest);
    return earliest;
  }

  std::size_t size() const {
    return by_mask_[0].size() + by_mask_[1].size() + by_mask_[2].size() + by_mask_[3].size();
  }

 private:
  // A receive stands in the index of its own wildcards; its key there is its key as it is.
  Index by_mask_[wild_masks] = {Index(0), Index(1), Index(2), Index(3)};
  std::uint64_t turns_ = 0;
};

}  // namespace hindcast::matching
