// A short queue: no memory until it is first used, none freed until it is destroyed.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/engine/fetching.hpp"

namespace hindcast {

template <typename T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  void fetch(int lines = 1) const { fetch_lines(items_.data() + head_, 0, lines); }
  std::size_t size() const { return items_.size() - head_; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& back() { return items_.back(); }
  auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  auto end() { return items_.end(); }

  void push_back(const T& item) {
    make_room();
    items_.push_back(item);
  }
  template <typename Iterator>
  void insert(Iterator before, const T& item) {
    const auto place = before - begin();
    make_room();
    items_.insert(begin() + place, item);
  }
  void pop_front() {
    if (++head_ == items_.size()) clear();
  }

 private:
  // A queue that is never quite empty uses the places of those that have gone again.
  void make_room() {
    if (items_.size() < items_.capacity() || head_ < items_.size() / 2) return;
    items_.erase(items_.begin(), begin());
    head_ = 0;
  }
  void clear() {
    items_.clear();
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace hindcast
