// A short queue: no memory until it is first used, none freed until it is destroyed.
//
// On its way a message passes through a few of these, each with an item or two in it. So what is done each time is a
// comparison of two pointers and an assignment, and the rest is left to a function that is not inlined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "simulator/engine/fetching.hpp"

namespace hindcast {

template <typename T>
class Fifo {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Fifo() = default;
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;

  bool empty() const { return first_ == end_; }
  void fetch(int lines = 1) const { fetch_lines(first_, 0, lines); }
  std::size_t size() const { return static_cast<std::size_t>(end_ - first_); }
  T& front() { return *first_; }
  const T& front() const { return *first_; }
  T& back() { return end_[-1]; }
  T* begin() { return first_; }
  const T* begin() const { return first_; }
  T* end() { return end_; }

  // Not one of its own.
  void push_back(const T& item) {
    if (end_ == limit_) [[unlikely]]
      make_room();
    *end_++ = item;
  }
  void insert(T* before, const T& item) {
    const std::ptrdiff_t place = before - first_;
    push_back(item);
    std::rotate(first_ + place, end_ - 1, end_);
  }
  // It nearly is. Those that are equal stay as they are.
  void put_in_order() { put_in_order_before(end_); }
  void put_in_order_before(T* end) {
    for (T* next = first_; next != end; ++next)
      if (next != first_ && *next < next[-1]) std::rotate(std::upper_bound(first_, next, *next), next, next + 1);
  }
  void pop_front() {
    if (++first_ == end_) first_ = end_ = items_.get();
  }

 private:
  static constexpr std::ptrdiff_t least_room = 4;

  // A queue that is never quite empty uses the places of those that have gone again.
  [[gnu::noinline]] void make_room() {
    T* const items = items_.get();
    const std::ptrdiff_t room = limit_ - items;
    if (first_ - items >= std::max<std::ptrdiff_t>(room / 2, 1)) {
      end_ = std::copy(first_, end_, items);
      first_ = items;
      return;
    }
    const std::ptrdiff_t more = std::max(2 * room, least_room);
    auto larger = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(more));
    end_ = std::copy(first_, end_, larger.get());
    first_ = larger.get();
    limit_ = larger.get() + more;
    items_ = std::move(larger);
  }

  T* first_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr;  // of the memory
  std::unique_ptr<T[]> items_;
};

}  // namespace hindcast
