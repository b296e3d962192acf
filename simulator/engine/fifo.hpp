// A short queue that is empty most of the time: no memory until it is first used, none freed until it is destroyed.
#pragma once

#include <cstddef>
#include <vector>

namespace hindcast {

template <typename T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  std::size_t size() const { return items_.size() - head_; }
  T& front() { return items_[head_]; }
  T& back() { return items_.back(); }
  auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  auto end() { return items_.end(); }

  void push_back(const T& item) {
    if (empty()) clear();
    items_.push_back(item);
  }
  template <typename Iterator>
  void insert(Iterator before, const T& item) {
    items_.insert(before, item);
  }
  void pop_front() {
    if (++head_ == items_.size()) clear();
  }

 private:
  void clear() {
    items_.clear();
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace hindcast
