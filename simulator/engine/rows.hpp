// Tables whose rows stand where their things are. A constant at namespace scope of any source file,
//
//   const Row<Algorithm> bcast_chain_row{{...}};
//
// is a row of the table of its type once the program's constants have been made; nothing else names it. Which row comes
// first depends on how the program was linked, so who needs an order sorts by something in the rows.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace hindcast {

template <typename T>
class Rows;

template <typename T>
class Row {
 public:
  Row(T given) : value_(std::move(given)), next_(std::exchange(first_, this)) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

 private:
  friend class Rows<T>;
  static inline constinit const Row* first_ = nullptr;

  T value_;
  const Row* next_;
};

// All rows of a type: for (const Algorithm& algorithm : Rows<Algorithm>()) ...
template <typename T>
class Rows {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    explicit iterator(const Row<T>* row = nullptr) : row_(row) {}
    const T& operator*() const { return row_->value_; }
    const T* operator->() const { return &row_->value_; }
    iterator& operator++() {
      row_ = row_->next_;
      return *this;
    }
    iterator operator++(int) { return std::exchange(*this, iterator(row_->next_)); }
    bool operator==(const iterator&) const = default;

   private:
    const Row<T>* row_;
  };

  iterator begin() const { return iterator(Row<T>::first_); }
  iterator end() const { return iterator(); }
};

}  // namespace hindcast
