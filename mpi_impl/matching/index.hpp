// Items by key, those of one key in the order in which they came. The links stand in the items: nothing is allocated
// but the buckets, of which the first is the index's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mpi_impl/matching/key.hpp"

namespace hindcast::matching {

struct Item;

struct Links {
  Item* previous;
  Item* next;
};

// Something to be matched: a posted receive, or a message that has arrived. An item is in one list at a time, and until
// then says nothing: an item that never comes into one need not be written.
struct Item {
  Item() {}
  Key key;
  std::uint64_t turn;  // the list's own count, which tells who came first
  Links links;
  Links* further_links;  // of a list that keeps several indexes of its items
};

// One index of items under their keys with some fields made wild. `slot` says which of an item's links are its own.
class Index {
 public:
  Index(WildMask mask, unsigned slot) : mask_(mask), slot_(slot) {}
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  std::size_t size() const { return size_; }

  void add(Item& item) {
    if (size_ > last_bucket_) grow();
    append(bucket(masked(item.key, mask_)), item);
    ++size_;
  }

  void remove(Item& item) {
    Bucket& from = bucket(masked(item.key, mask_));
    Links& links = links_of(item);
    (links.previous != nullptr ? links_of(*links.previous).next : from.first) = links.next;
    (links.next != nullptr ? links_of(*links.next).previous : from.last) = links.previous;
    --size_;
  }

  // The first item whose key, made wild as the index is, equals `wanted`.
  Item* first(const Key& wanted) const {
    if (size_ == 0) return nullptr;
    for (Item* item = buckets_[hash_of(wanted) & last_bucket_].first; item != nullptr; item = links_of(*item).next)
      if (masked(item->key, mask_) == wanted) return item;
    return nullptr;
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i <= last_bucket_; ++i)
      for (Item* item = buckets_[i].first; item != nullptr; item = links_of(*item).next) visit(*item);
  }

 private:
  struct Bucket {
    Item* first = nullptr;
    Item* last = nullptr;
  };

  Links& links_of(Item& item) const { return slot_ == 0 ? item.links : item.further_links[slot_ - 1]; }
  Bucket& bucket(const Key& key) { return buckets_[hash_of(key) & last_bucket_]; }

  void append(Bucket& to, Item& item) {
    links_of(item) = Links{to.last, nullptr};
    (to.last != nullptr ? links_of(*to.last).next : to.first) = &item;
    to.last = &item;
  }

  // Items of one key share a bucket, in order, before and after.
  void grow() {
    const std::unique_ptr<Bucket[]> old = std::move(many_);
    const Bucket* old_buckets = old != nullptr ? old.get() : &only_;
    const std::size_t old_count = last_bucket_ + std::size_t{1};
    many_ = std::make_unique<Bucket[]>(old_count * 4);
    buckets_ = many_.get();
    last_bucket_ = static_cast<std::uint32_t>(old_count * 4 - 1);
    for (std::size_t i = 0; i < old_count; ++i)
      for (Item* item = old_buckets[i].first; item != nullptr;) {
        Item* next = links_of(*item).next;
        append(bucket(masked(item->key, mask_)), *item);
        item = next;
      }
  }

  WildMask mask_;
  unsigned slot_;
  std::uint32_t size_ = 0;
  std::uint32_t last_bucket_ = 0;  // one less than a power of two
  Bucket only_;                    // in the index's own line of the cache, until there are two items
  Bucket* buckets_ = &only_;
  std::unique_ptr<Bucket[]> many_;
};

}  // namespace hindcast::matching
