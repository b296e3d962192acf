// The arrays that programs of a run have had passed over, told apart so that nothing hangs on the addresses that this
// computer happens to give them. What overlaps is one array: a part of one that was passed over before, or one that
// such a part belongs to. Memory that a program has given back belongs to none.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>

#include "simulator/engine/fetching.hpp"
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
  // What was found last, as long as no array has gone or grown since.
  class Found;
  void is_free(const void* memory, std::size_t bytes) override;

 private:
  // Some memory, from the address that it is kept by on.
  struct Array {
    std::uintptr_t end;
    std::uintptr_t first;  // what has place 0
    std::uint64_t number;
  };
  using Arrays = std::map<std::uintptr_t, Array>;
  struct Searched {
    PlaceInArray place;
    std::uintptr_t end;  // of the array
  };

  Searched search(std::uintptr_t begin, std::uintptr_t end);
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
  std::bitset<marks> has_beginning_;
  std::size_t marked_ = 0;  // since the marks were made anew
};

// Of those whose passes go over the same few arrays again and again: a node of the machine has one of its own, which
// lies in few lines of this computer's cache.
class ProgramArrays::Found {
 public:
  PlaceInArray place_of(ProgramArrays& arrays, const void* data, Bytes bytes);
  // It will be asked soon for what begins there (simulator/engine/fetching.hpp).
  void fetch(const void* data) const {
    if (places_ != nullptr) fetch_lines(&place_for(reinterpret_cast<std::uintptr_t>(data)), 0, 1);
  }

 private:
  struct alignas(32) Place {
    std::uintptr_t begin = 0;  // where what was searched for begins
    std::uintptr_t end = 0;    // of its array; 0: not known
    PlaceInArray place;
  };
  static constexpr int bits_min = 3;
  static constexpr int bits_max = 8;

  Place& place_for(std::uintptr_t begin) const {
    // Arrays of one program often lie at the same distance from each other, of which a remainder would make one place.
    return places_[(begin * 0x9e3779b97f4a7c15) >> (64 - bits_)];
  }
  PlaceInArray search(ProgramArrays& arrays, std::uintptr_t begin, std::uintptr_t end);
  void make_room();

  std::uint32_t size() const { return std::uint32_t{1} << bits_; }

  std::unique_ptr<Place[]> places_;  // none before the first search
  int bits_ = bits_min - 1;
  std::uint32_t taken_away_ = 0;  // places, since there were as many
  std::uint64_t of_changes_ = 0;  // of the arrays
};

inline PlaceInArray ProgramArrays::Found::place_of(ProgramArrays& arrays, const void* data, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t end = begin + bytes.count();
  if (places_ != nullptr && of_changes_ == arrays.changes_) [[likely]]
    if (const Place& known = place_for(begin); known.begin == begin && end <= known.end) return known.place;
  return search(arrays, begin, end);
}

}  // namespace hindcast
