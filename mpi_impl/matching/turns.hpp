// The turns in which those came that are there, so that it is known how many of them came before one. Turns of a row
// are counted together, so that it takes little however many are there, and however many have gone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace hindcast::matching {

class Turns {
 public:
  // Later than all before it.
  void add(std::uint64_t turn) {
    const std::uint64_t row = turn / row_length;
    if (rows_.empty() || rows_.back().number != row) rows_.push_back({row, 0});
    rows_.back().there |= bit_of(turn);
    ++size_;
  }

  // Of one that is there, and goes: how many came before it.
  std::uint64_t remove(std::uint64_t turn) {
    const std::uint64_t count = before(turn);
    const auto row = row_of(turn);
    row->there &= ~bit_of(turn);
    if (row->there == 0) rows_.erase(row);
    --size_;
    return count;
  }

  // Of one that is there: how many came before it.
  std::uint64_t before(std::uint64_t turn) const {
    std::uint64_t count = 0;
    auto row = rows_.begin();
    for (; row->number != turn / row_length; ++row) count += ones_in(row->there);
    return count + ones_in(row->there & (bit_of(turn) - 1));
  }

  std::uint64_t size() const { return size_; }

 private:
  static constexpr std::uint64_t row_length = 64;

  struct Row {
    std::uint64_t number;
    std::uint64_t there;  // a bit for each turn
  };

  static std::uint64_t bit_of(std::uint64_t turn) { return std::uint64_t{1} << turn % row_length; }
  static std::uint64_t ones_in(std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }
  std::vector<Row>::iterator row_of(std::uint64_t turn) {
    return std::lower_bound(rows_.begin(), rows_.end(), turn / row_length,
                            [](const Row& row, std::uint64_t number) { return row.number < number; });
  }

  std::vector<Row> rows_;  // in which somebody is, in order
  std::uint64_t size_ = 0;
};

}  // namespace hindcast::matching
