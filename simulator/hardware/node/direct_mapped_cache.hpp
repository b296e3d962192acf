// A processor's cache, direct-mapped, as passes over arrays go through it: each line of an array is there, or comes
// from memory and takes the place of the one that was. Nothing is there at first.
//
// Every array is taken to begin at the cache's first line, so that nothing hangs on the addresses that this computer
// happens to give them. Arrays have numbers (program_arrays.hpp tells those of a program apart); a system's buffer is
// one too.
//
// What is kept are runs of lines that one pass has brought, so that a pass takes no longer if it is long.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "simulator/engine/units.hpp"

namespace hindcast {

class DirectMappedCache {
 public:
  // Powers of two, as some bits of an address tell a line's place.
  DirectMappedCache(Bytes size, Bytes line)
      : line_bits_(std::countr_zero(line.count())),
        lines_bits_(std::countr_zero(size.count()) - line_bits_),
        held_{{0, Part::nothing}} {}

  // From a place in an array on. How many of the bytes come from memory.
  Bytes pass_over(std::uint64_t array, std::int64_t from, Bytes bytes);

  // Below this are the numbers of what is no program's.
  static constexpr std::uint64_t numbered_arrays = 16;

 private:
  // What a run of lines holds: some lines of an array. A lap is as many of them as the cache has places: the line with
  // the number i in its array belongs to the lap i / lines(), and to the place i % lines(). An array of more laps than
  // the bits can tell would be larger than any memory.
  enum class Part : std::uint64_t { nothing = ~std::uint64_t{0} };
  static constexpr int lap_bits = 24;
  static Part part_of(std::uint64_t array, std::int64_t lap) {
    return Part{array << lap_bits | (static_cast<std::uint64_t>(lap) & ((1U << lap_bits) - 1))};
  }
  // From a place in the cache on, up to where the next begins.
  struct Run {
    std::int64_t begin;
    Part part;
  };

  // Some runs, one behind the other, to which places belong that a pass goes over.
  struct Runs {
    std::size_t first;
    std::size_t last;
  };

  Bytes pass_over_runs(std::uint64_t array, std::int64_t from, std::int64_t to);
  std::int64_t end_of(std::size_t run) const { return run + 1 < held_.size() ? held_[run + 1].begin : lines(); }
  std::int64_t lines() const { return std::int64_t{1} << lines_bits_; }
  std::size_t run_at(std::int64_t place) const;
  bool hold_within(std::int64_t begin, std::int64_t end, Part part, std::size_t run);
  void hold(std::int64_t begin, std::int64_t end, Part part, const Runs& old);

  int line_bits_;
  int lines_bits_;
  std::vector<Run> held_;  // in order, from the first place on; no neighbours hold the same part
};

}  // namespace hindcast
