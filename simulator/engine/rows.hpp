// Rows of a table, each of which stands where its thing is: a constant at namespace scope, in any source file, adds
// itself.
//
//   const Row<Topology> row{{"torus", build_torus}};
//
// Rows come in no order that a program could rely on: who looks at them sorts by what they say.
#pragma once

#include <utility>

namespace hindcast {

template <typename T>
class Row {
 public:
  explicit Row(T value) : value_(std::move(value)), next_(first_) { first_ = this; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  template <typename Visit>
  static void for_each(Visit visit) {
    for (const Row* row = first_; row != nullptr; row = row->next_) visit(row->value_);
  }

 private:
  const T value_;
  const Row* const next_;
  static inline constinit const Row* first_ = nullptr;  // rows add themselves before main, and nothing changes it then
};

}  // namespace hindcast
