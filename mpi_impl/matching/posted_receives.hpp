// Receives that wait for their message. A few are looked through in the order in which they were posted. If there are
// many it takes constant time all the same: a message is looked up once for each kind of wildcard in use, and of the
// receives found the one posted first takes it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mpi_impl/matching/index.hpp"
#include "mpi_impl/matching/turns.hpp"

namespace hindcast::matching {

class PostedReceives {
 public:
  // The item's own key need not be set.
  void add(Item& receive, const Key& key) {
    if (count_ == 0) are_many_ = false;
    if (count_ == few_max && !are_many_) [[unlikely]]
      become_many();
    if (are_many_)
      many_->add(receive, key);
    else
      few_[count_] = {key, &receive};
    ++count_;
  }

  void remove(Item& receive) {
    if (are_many_) return remove_from_many(receive);
    Receive* const end = few_.data() + count_;
    remove_from_few(std::find_if(few_.data(), end, [&](const Receive& other) { return other.item == &receive; }));
  }

  // The receive that takes a message with this key, removed; null if there is none. `before`, if given,
  // becomes how many are left that were posted before it.
  Item* take(const Key& message, std::uint64_t* before = nullptr) {
    if (are_many_) {
      Item* item = many_->find(message);
      if (item == nullptr) return nullptr;
      if (before != nullptr) *before = many_->turns().before(item->turn);
      remove_from_many(*item);
      return item;
    }
    const std::uint32_t place = first_of_few(message);
    if (place == count_) return nullptr;
    if (before != nullptr) *before = place;
    Item* item = few_[place].item;
    remove_from_few(&few_[place]);
    return item;
  }
  // The same, and it stays.
  Item* find(const Key& message) const {
    if (are_many_) return many_->find(message);
    const std::uint32_t place = first_of_few(message);
    return place < count_ ? few_[place].item : nullptr;
  }

  std::size_t size() const { return count_; }

 private:
  static constexpr std::uint32_t few_max = 8;

  // A receive's key stands here and not in the receive, which may have left the caches.
  struct Receive {
    Key key;
    Item* item;
  };

  // Each in the index of its own wildcards; its key there is its key as it is.
  class Many {
   public:
    void add(Item& receive, const Key& key) {
      receive.key = key;
      receive.turn = next_turn_++;
      if (turns_) turns_->add(receive.turn);
      const WildMask mask = mask_of(key);
      by_mask_[mask].add(receive);
      in_use_ |= 1U << mask;
    }
    void remove(Item& receive) {
      const WildMask mask = mask_of(receive.key);
      if (turns_) turns_->remove(receive.turn);
      by_mask_[mask].remove(receive);
      if (by_mask_[mask].size() == 0) in_use_ &= ~(1U << mask);
    }
    // Kept from the first time that somebody asks.
    const Turns& turns() {
      if (!turns_) {
        std::vector<std::uint64_t> all;
        for (const Index& index : by_mask_) index.for_each([&](const Item& receive) { all.push_back(receive.turn); });
        std::sort(all.begin(), all.end());
        turns_.emplace();
        for (const std::uint64_t turn : all) turns_->add(turn);
      }
      return *turns_;
    }
    Item* find(const Key& message) const {
      Item* earliest = nullptr;
      for (WildMask mask = 0; in_use_ >> mask != 0; ++mask) {
        if ((in_use_ >> mask & 1) == 0) continue;
        Item* candidate = by_mask_[mask].first(masked(message, mask));
        if (candidate != nullptr && (earliest == nullptr || candidate->turn < earliest->turn)) earliest = candidate;
      }
      return earliest;
    }

   private:
    unsigned in_use_ = 0;  // the masks of which there are receives
    std::uint64_t next_turn_ = 0;
    std::optional<Turns> turns_;
    Index by_mask_[wild_masks] = {Index(0, 0), Index(1, 0), Index(2, 0), Index(3, 0)};
  };

  // Until there is none.
  void become_many() {
    are_many_ = true;
    if (many_ == nullptr) many_ = std::make_unique<Many>();
    for (std::uint32_t i = 0; i < count_; ++i) many_->add(*few_[i].item, few_[i].key);
  }
  void remove_from_many(Item& receive) {
    many_->remove(receive);
    --count_;
  }

  // Its place, or how many there are.
  std::uint32_t first_of_few(const Key& message) const {
    std::uint32_t place = 0;
    while (place < count_ && masked(message, mask_of(few_[place].key)) != few_[place].key) ++place;
    return place;
  }
  void remove_from_few(Receive* receive) {
    std::copy(receive + 1, few_.data() + count_, receive);
    --count_;
  }

  std::uint32_t count_ = 0;
  bool are_many_ = false;
  std::unique_ptr<Many> many_;
  std::array<Receive, few_max> few_;
};

}  // namespace hindcast::matching
