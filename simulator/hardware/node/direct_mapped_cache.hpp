// A processor's cache, direct-mapped, as a pass over an array goes through it: each line of the array is there, or
// comes from memory and takes the place of the one that was.
//
// Arrays are told apart by where they begin, and each is taken to begin at the cache's first line, so that nothing
// hangs on the addresses that this computer happens to give them.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/units.hpp"

namespace hindcast {

class DirectMappedCache {
 public:
  // The size is a multiple of the line's.
  DirectMappedCache(Bytes size, Bytes line) : line_(line), lines_(size.count() / line.count()) {}

  // Returns how many of the array's bytes come from memory.
  Bytes pass_over(const void* array, Bytes bytes);

 private:
  struct Line {
    const void* array = nullptr;
    std::uint64_t number = 0;  // in the array
    friend bool operator==(const Line&, const Line&) = default;
  };

  Bytes line_;
  std::uint64_t lines_;
  std::vector<Line> held_;  // empty until the first pass
};

}  // namespace hindcast
