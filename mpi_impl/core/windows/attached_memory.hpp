// The memory that a rank has attached to a dynamic window, in order: a program may attach thousands of pieces, and each
// access looks for its own.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>

namespace hindcast::mpi {

class AttachedMemory {
 public:
  // No piece has bytes in common with another, and none begins within another.
  bool overlaps(const std::byte* begin, std::size_t bytes) const {
    const auto behind = ends_.lower_bound(begin + bytes);
    return behind != ends_.begin() && begin < end_of_pieces_at(std::prev(behind)->first);
  }
  void add(const std::byte* begin, std::size_t bytes) { ends_.emplace(begin, begin + bytes); }
  // The piece that begins there, or was attached first of those that do. False: none does.
  bool remove(const std::byte* begin) {
    const auto found = ends_.lower_bound(begin);
    if (found == ends_.end() || found->first != begin) return false;
    ends_.erase(found);
    return true;
  }
  // Says where in a piece an address lies, or how far behind one: "byte 8 of 64 that are attached".
  std::string place_of(const std::byte* address) const {
    const auto behind = ends_.upper_bound(address);
    if (behind == ends_.begin()) return "an address before all that is attached";
    const std::byte* const begin = std::prev(behind)->first;
    const std::byte* const end = end_of_pieces_at(begin);
    if (address < end) return fmt::format("byte {} of {} that are attached", address - begin, end - begin);
    return fmt::format("the {}. byte behind {} that are attached", address - end + 1, end - begin);
  }
  // By one piece, or by several that follow one another.
  bool covers(const std::byte* begin, std::size_t bytes) const {
    const std::byte* const end = begin + bytes;
    while (begin < end) {
      const auto behind = ends_.upper_bound(begin);
      if (behind == ends_.begin()) return false;
      const std::byte* const covered = end_of_pieces_at(std::prev(behind)->first);
      if (covered <= begin) return false;
      begin = covered;
    }
    return true;
  }

 private:
  // Several begin at one place if all but one of them are empty.
  const std::byte* end_of_pieces_at(const std::byte* begin) const {
    const auto [first, behind] = ends_.equal_range(begin);
    return std::max_element(first, behind, [](const auto& one, const auto& other) { return one.second < other.second; })
        ->second;
  }

  std::multimap<const std::byte*, const std::byte*> ends_;  // by where pieces begin
};

}  // namespace hindcast::mpi
