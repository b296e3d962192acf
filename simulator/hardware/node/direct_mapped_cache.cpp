#include "simulator/hardware/node/direct_mapped_cache.hpp"

#include <algorithm>

namespace hindcast {

namespace {

// Towards less, also below 0.
std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor);
}

}  // namespace

// A lap at a time: what lies in one goes to places one behind the other.
Bytes DirectMappedCache::pass_over(std::uint64_t array, std::int64_t from, Bytes bytes) {
  if (bytes == Bytes()) return bytes;
  const std::int64_t to = from + static_cast<std::int64_t>(bytes.count());
  std::int64_t missed = 0;
  const std::int64_t last = floor_of(to - 1, line_);
  for (std::int64_t number = floor_of(from, line_); number <= last;) {
    const Part wanted{array, floor_of(number, lines_)};
    const std::int64_t base = wanted.lap * lines_;
    const std::int64_t begin = number - base;
    const std::int64_t end = std::min(lines_, last + 1 - base);
    auto run = static_cast<std::size_t>(run_at(begin));
    for (std::int64_t at = begin; at < end; ++run) {
      const std::int64_t until = std::min(end, end_of(run));
      if (held_[run].part != wanted)
        missed += std::min(to, (base + until) * line_) - std::max(from, (base + at) * line_);
      at = until;
    }
    hold(begin, end, wanted);
    number = base + end;
  }
  return Bytes(static_cast<std::uint64_t>(missed));
}

// The run that a place belongs to.
std::ptrdiff_t DirectMappedCache::run_at(std::int64_t place) const {
  const auto next = std::upper_bound(held_.begin(), held_.end(), place,
                                     [](std::int64_t wanted, const Run& run) { return wanted < run.begin; });
  return next - held_.begin() - 1;
}

// These places hold the part from now on: what is left of the runs that they belonged to lies on either side.
void DirectMappedCache::hold(std::int64_t begin, std::int64_t end, const Part& part) {
  const auto first = static_cast<std::size_t>(run_at(begin));
  const auto last = static_cast<std::size_t>(run_at(end - 1));
  const Run before = held_[first];
  const Run after{end, held_[last].part};
  if (first == last && before.part == part) return;
  const bool joins_before = before.begin < begin ? before.part == part : first > 0 && held_[first - 1].part == part;
  const bool leaves_rest = end < end_of(last) && after.part != part;
  const bool joins_after = end == end_of(last) && last + 1 < held_.size() && held_[last + 1].part == part;
  Run put[3];
  std::size_t count = 0;
  if (before.begin < begin) put[count++] = before;
  if (!joins_before) put[count++] = Run{begin, part};
  if (leaves_rest) put[count++] = after;
  const auto old_begin = held_.begin() + static_cast<std::ptrdiff_t>(first);
  const std::size_t old_count = last + 1 - first + (joins_after ? 1 : 0);
  const std::size_t same = std::min(count, old_count);
  std::copy(put, put + same, old_begin);
  if (count > same)
    held_.insert(old_begin + static_cast<std::ptrdiff_t>(same), put + same, put + count);
  else
    held_.erase(old_begin + static_cast<std::ptrdiff_t>(same), old_begin + static_cast<std::ptrdiff_t>(old_count));
}

}  // namespace hindcast
