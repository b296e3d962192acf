// A processor's cache, direct-mapped, as passes over arrays go through it: each line of an array is there, or comes
// from memory and takes the place of the one that was. Nothing is there at first.
//
// Every array is taken to begin at the cache's first line, so that nothing hangs on the addresses that this computer
// happens to give them. Arrays have numbers (program_arrays.hpp tells those of a program apart); a system's buffer is
// one too.
//
// Most passes need not know what was there, and must take next to no time. So places stand in groups: those of a group
// that a pass has gone over as a whole are not looked at one by one. And passes are written down first, one behind the
// other: a few at once find the caches of this computer's processor as the one before has left them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/fetching.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class DirectMappedCache {
 public:
  // Powers of two, as some bits of an address tell a line's place.
  DirectMappedCache(Bytes size, Bytes line)
      : line_bits_(std::countr_zero(line.count())),
        places_bits_(std::countr_zero(size.count()) - line_bits_),
        groups_(static_cast<std::size_t>((places() + group_size - 1) / group_size), Part::nothing),
        singles_(std::make_unique_for_overwrite<Part[]>(groups_.size() * group_size)) {}

  // From a place in an array on.
  void pass_over(std::uint64_t array, std::int64_t from, Bytes bytes) {
    if (bytes == Bytes()) return;
    if (noted_ == notes_.size()) go_over_noted();
    if (bytes.count() > Pass::bytes_max) [[unlikely]]
      return pass_far_over(array, from, bytes);
    notes_[noted_++] = {from, array, bytes.count()};
  }
  // A pass will be noted soon (simulator/engine/fetching.hpp).
  void fetch() const { fetch_lines(&notes_[noted_ % notes_.size()], 0, 2); }
  // The same as pass_over. How many of the bytes come from memory.
  Bytes count_pass_over(std::uint64_t array, std::int64_t from, Bytes bytes);

  // Below this are the numbers of what is no program's.
  static constexpr std::uint64_t numbered_arrays = 16;

 private:
  static constexpr int array_bits = 40;
  static constexpr int lap_bits = 64 - array_bits;

  // In 16 bytes, as many are noted. One that is longer than the bits can tell is gone over at once.
  struct Pass {
    static constexpr int length_bits = 64 - array_bits;
    static constexpr std::uint64_t bytes_max = (1U << length_bits) - 1;
    std::int64_t from;
    std::uint64_t array : array_bits;
    std::uint64_t bytes : length_bits;
  };

  // What places hold: lines of an array. A lap is as many of them as the cache has places: the line with the number i
  // in its array belongs to the lap i / places(), and to the place i % places(). An array of more laps than the bits
  // can tell would be larger than any memory.
  enum class Part : std::uint64_t { nothing = ~std::uint64_t{0}, by_singles = ~std::uint64_t{1} };
  Part part_of(std::uint64_t array, std::int64_t line) const {
    return Part{array << lap_bits | (static_cast<std::uint64_t>(line >> places_bits_) & ((1U << lap_bits) - 1))};
  }

  static constexpr std::int64_t group_size = 32;

  std::int64_t places() const { return std::int64_t{1} << places_bits_; }
  std::int64_t place_of(std::int64_t line) const { return line & (places() - 1); }
  std::int64_t line_of(std::int64_t byte) const { return byte >> line_bits_; }

  Part& group_at(std::int64_t place) { return groups_[static_cast<std::size_t>(place / group_size)]; }
  Part& single_at(std::int64_t place) { return singles_[static_cast<std::size_t>(place)]; }

  void go_over(const Pass& pass);
  void pass_far_over(std::uint64_t array, std::int64_t from, Bytes bytes);
  void go_over_noted();
  void hold_laps(std::uint64_t array, std::int64_t first, std::int64_t end);
  void hold_in_lap(Part part, std::int64_t place, std::int64_t end);
  void hold_in_group(Part part, std::int64_t place, std::int64_t end);
  bool holds(std::uint64_t array, std::int64_t line);

  std::size_t noted_ = 0;
  std::array<Pass, 24> notes_;
  int line_bits_;
  int places_bits_;
  std::vector<Part> groups_;         // what all places of a group hold
  std::unique_ptr<Part[]> singles_;  // by place, of groups whose places hold different parts; else without a meaning
};

}  // namespace hindcast
