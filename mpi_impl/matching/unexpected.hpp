// Messages that have arrived and wait for their receive. Each is found by its key; an index for a kind of wildcard is
// kept from the first time that somebody asks with it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "mpi_impl/matching/index.hpp"

namespace hindcast::matching {

class Unexpected {
 public:
  void add(Item& message) {
    message.turn = turns_++;
    by_key_.add(message);
    if (!wild_) return;
    message.further_links = wild_->take_links();
    for (Index& index : wild_->by_mask)
      if (wild_->is_wanted(index)) index.add(message);
  }

  void remove(Item& message) {
    by_key_.remove(message);
    if (!wild_) return;
    for (Index& index : wild_->by_mask)
      if (wild_->is_wanted(index)) index.remove(message);
    wild_->give_back(message.further_links);
  }

  // The first that came of those which `pattern` takes; null if there is none.
  Item* find(const Key& pattern) {
    if (by_key_.size() == 0) return nullptr;
    const WildMask mask = mask_of(pattern);
    if (mask == 0) return by_key_.first(pattern);
    if (!wild_ || !wild_->wanted[mask - 1]) build(mask);
    return wild_->by_mask[mask - 1].first(pattern);
  }

  std::size_t size() const { return by_key_.size(); }

  // In no order.
  template <typename Visit>
  void for_each(Visit visit) const {
    by_key_.for_each(visit);
  }

 private:
  static constexpr unsigned wild_indexes = wild_masks - 1;

  // For ranks that use wildcards.
  struct Wild {
    Index by_mask[wild_indexes] = {Index(1, 1), Index(2, 2), Index(3, 3)};
    bool wanted[wild_indexes] = {};
    std::vector<std::unique_ptr<Links[]>> all_links;
    std::vector<Links*> unused_links;

    bool is_wanted(const Index& index) const { return wanted[&index - by_mask]; }
    Links* take_links() {
      if (unused_links.empty()) return all_links.emplace_back(new Links[wild_indexes]).get();
      Links* links = unused_links.back();
      unused_links.pop_back();
      return links;
    }
    void give_back(Links* links) { unused_links.push_back(links); }
  };

  void build(WildMask mask) {
    std::vector<Item*> messages;
    by_key_.for_each([&](Item& message) { messages.push_back(&message); });
    std::sort(messages.begin(), messages.end(), [](const Item* a, const Item* b) { return a->turn < b->turn; });
    if (!wild_) {
      wild_ = std::make_unique<Wild>();
      for (Item* message : messages) message->further_links = wild_->take_links();
    }
    wild_->wanted[mask - 1] = true;
    for (Item* message : messages) wild_->by_mask[mask - 1].add(*message);
  }

  Index by_key_ = Index(0, 0);
  std::unique_ptr<Wild> wild_;
  std::uint64_t turns_ = 0;
};

}  // namespace hindcast::matching
