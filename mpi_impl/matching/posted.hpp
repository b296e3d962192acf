// Receives that wait for their message. Constant time, however many there are: a message is looked up once for each
// kind of wildcard in use, and of the receives found the one posted first takes it.
#pragma once

#include "mpi_impl/matching/index.hpp"

namespace hindcast::matching {

class Posted {
 public:
  void add(Item& receive) {
    const WildMask mask = mask_of(receive.key);
    receive.turn = turns_++;
    by_mask_[mask].add(receive);
    in_use_ |= 1U << mask;
  }

  void remove(Item& receive) { remove(receive, mask_of(receive.key)); }

  // The receive that takes a message with this key, removed; null if there is none.
  Item* take(const Key& message) {
    Item* earliest = find(message);
    if (earliest != nullptr) remove(*earliest);
    return earliest;
  }
  // The same, and it stays.
  Item* find(const Key& message) const {
    Item* earliest = nullptr;
    for (WildMask mask = 0; in_use_ >> mask != 0; ++mask) {
      if ((in_use_ >> mask & 1) == 0) continue;
      Item* candidate = by_mask_[mask].first(masked(message, mask));
      if (candidate != nullptr && (earliest == nullptr || candidate->turn < earliest->turn)) earliest = candidate;
    }
    return earliest;
  }

  std::size_t size() const { return by_mask_[0].size() + by_mask_[1].size() + by_mask_[2].size() + by_mask_[3].size(); }

 private:
  void remove(Item& receive, WildMask mask) {
    by_mask_[mask].remove(receive);
    if (by_mask_[mask].size() == 0) in_use_ &= ~(1U << mask);
  }

  unsigned in_use_ = 0;  // the masks of which there are receives
  std::uint64_t turns_ = 0;
  // A receive stands in the index of its own wildcards; its key there is its key as it is.
  Index by_mask_[wild_masks] = {Index(0, 0), Index(1, 0), Index(2, 0), Index(3, 0)};
};

}  // namespace hindcast::matching
