#include "simulator/hardware/node/direct_mapped_cache.hpp"

#include <algorithm>
#include <iterator>

namespace hindcast {

namespace {

// Towards less, also below 0.
std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor);
}

}  // namespace

Bytes DirectMappedCache::pass_over(const void* data, Bytes bytes) {
  if (bytes == Bytes()) return bytes;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t end = begin + bytes.count();
  const std::uintptr_t first = first_of_array_at(begin, end);
  return pass(first, static_cast<std::int64_t>(begin - first), static_cast<std::int64_t>(end - first));
}

Bytes DirectMappedCache::pass_over(std::uint64_t array, std::uint64_t from, Bytes bytes) {
  return pass(array, static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + bytes.count()));
}

// All that it overlaps becomes one array with it, which is told apart as the first of them was.
std::uintptr_t DirectMappedCache::first_of_array_at(std::uintptr_t begin, std::uintptr_t end) {
  auto at = arrays_.upper_bound(begin);
  if (at != arrays_.begin() && std::prev(at)->second.end > begin) --at;
  if (at != arrays_.end() && at->first <= begin && end <= at->second.end) return at->second.first;
  Array joined{end, begin};
  bool is_new = true;
  while (at != arrays_.end() && at->first < end) {
    joined.first = is_new ? at->second.first : joined.first;
    is_new = false;
    joined.end = std::max(joined.end, at->second.end);
    begin = std::min(begin, at->first);
    at = arrays_.erase(at);
  }
  arrays_.emplace(begin, joined);
  return joined.first;
}

Bytes DirectMappedCache::pass(std::uint64_t array, std::int64_t from, std::int64_t to) {
  held_.resize(static_cast<std::size_t>(lines_));
  std::int64_t missed = 0;
  for (std::int64_t number = floor_of(from, line_); number * line_ < to; ++number) {
    const std::int64_t place = number - floor_of(number, lines_) * lines_;
    Line& held = held_[static_cast<std::size_t>(place)];
    const Line wanted{array, number};
    if (held == wanted) continue;
    held = wanted;
    missed += std::min(to, (number + 1) * line_) - std::max(from, number * line_);
  }
  return Bytes(static_cast<std::uint64_t>(missed));
}

}  // namespace hindcast
