// A processor's cache, direct-mapped, as passes over arrays go through it: each line of an array is there, or comes
// from memory and takes the place of the one that was. Nothing is there at first.
//
// Every array is taken to begin at the cache's first line, so that nothing hangs on the addresses that this computer
// happens to give them. Arrays have numbers (program_arrays.hpp tells those of a program apart); a system's buffer is
// one too.
//
// What is kept are runs of lines that one pass has brought, so that a pass takes no longer if it is long.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/units.hpp"

namespace hindcast {

class DirectMappedCache {
 public:
  // The size is a multiple of the line's.
  DirectMappedCache(Bytes size, Bytes line)
      : line_(static_cast<std::int64_t>(line.count())),
        lines_(static_cast<std::int64_t>(size.count()) / line_),
        held_{{0, nothing}} {}

  // From a place in an array on. How many of the bytes come from memory.
  Bytes pass_over(std::uint64_t array, std::int64_t from, Bytes bytes);

  // Below this are the numbers of what is no program's.
  static constexpr std::uint64_t numbered_arrays = 16;

 private:
  // What lines hold: those of an array, whose numbers in it are their places' and so many times all lines of the cache.
  struct Part {
    std::uint64_t array;
    std::int64_t lap;
    friend bool operator==(const Part&, const Part&) = default;
  };
  static constexpr Part nothing = {~std::uint64_t{0}, 0};
  // From a place in the cache on, up to where the next begins.
  struct Run {
    std::int64_t begin;
    Part part;
  };

  std::int64_t end_of(std::size_t run) const { return run + 1 < held_.size() ? held_[run + 1].begin : lines_; }
  std::ptrdiff_t run_at(std::int64_t place) const;
  void hold(std::int64_t begin, std::int64_t end, const Part& part);

  std::int64_t line_;
  std::int64_t lines_;
  std::vector<Run> held_;  // in order, from the first place on; no neighbours hold the same part
};

}  // namespace hindcast
