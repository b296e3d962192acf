// The arrays that programs of a run have had passed over, told apart so that nothing hangs on the addresses that this
// computer happens to give them. What overlaps is one array: a part of one that was passed over before, or one that
// such a part belongs to. Memory that a program has given back belongs to none.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/engine/memory/freed_memory.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

// A place in an array; below its beginning if the array was known by a later part first.
struct PlaceInArray {
  std::uint64_t array = 0;
  std::int64_t from = 0;
};

class ProgramArrays final : public FreedMemoryListener {
 public:
  // Arrays have numbers from this one on.
  explicit ProgramArrays(std::uint64_t first_number) : next_number_(first_number) {}

  // At the instant, by this computer's clock, when the program has the memory; of one byte or more.
  PlaceInArray place_of(const void* data, Bytes bytes);
  void is_free(const void* memory, std::size_t bytes) override;

 private:
  // Some memory, from the address that it is kept by on.
  struct Array {
    std::uintptr_t end;
    std::uintptr_t first;  // what has place 0
    std::uint64_t number;
  };
  using Arrays = std::map<std::uintptr_t, Array>;
  // One that was found, as long as none has gone or grown since.
  struct Found {
    std::uint64_t of_changes = ~std::uint64_t{0};
    std::uintptr_t begin = 0;
    Array array{};
  };

  Found& found_at(std::uintptr_t begin) {
    // Ranks have their arrays at the same distances from each other, of which a remainder would make one place.
    return found_[(begin * 0x9e3779b97f4a7c15) >> (64 - found_bits_)];
  }
  PlaceInArray find_place(std::uintptr_t begin, std::uintptr_t end);
  void count_search();
  Arrays::iterator first_that_ends_behind(std::uintptr_t address);
  // Most memory that is given back never was an array, and has to be told from one quickly: whether one may begin in
  // it.
  static constexpr std::uintptr_t piece = 64;
  static constexpr std::size_t marks = 1 << 16;
  static std::size_t mark_of(std::uintptr_t address) { return address / piece % marks; }
  bool may_have_beginning(std::uintptr_t begin, std::uintptr_t end) const;
  void mark_beginning(std::uintptr_t begin);

  std::uint64_t next_number_;
  Arrays arrays_;
  std::uint64_t changes_ = 0;
  int found_bits_ = 12;
  std::vector<Found> found_{std::size_t{1} << found_bits_};  // by where in memory a search began
  std::size_t searches_ = 0;                                 // since there were as many places
  std::bitset<marks> has_beginning_;
  std::size_t marked_ = 0;  // since the marks were made anew
};

}  // namespace hindcast
