#include "simulator/hardware/node/direct_mapped_cache.hpp"

#include <algorithm>

namespace hindcast {

Bytes DirectMappedCache::pass_over(const void* array, Bytes bytes) {
  held_.resize(lines_);
  std::uint64_t missed = 0;
  for (std::uint64_t at = 0, number = 0; at < bytes.count(); at += line_.count(), ++number) {
    Line& held = held_[number % lines_];
    const Line wanted{array, number};
    if (held == wanted) continue;
    held = wanted;
    missed += std::min(line_.count(), bytes.count() - at);
  }
  return Bytes(missed);
}

}  // namespace hindcast
