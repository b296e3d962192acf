#include "simulator/hardware/node/direct_mapped_cache.hpp"

#include <algorithm>

namespace hindcast {

// Most passes are short, and go over places of one run.
Bytes DirectMappedCache::pass_over(std::uint64_t array, std::int64_t from, Bytes bytes) {
  if (bytes == Bytes()) return bytes;
  const std::int64_t to = from + static_cast<std::int64_t>(bytes.count());
  const std::int64_t first = from >> line_bits_;
  const std::int64_t last = (to - 1) >> line_bits_;
  const Part wanted = part_of(array, first >> lines_bits_);
  const std::int64_t begin = first & (lines() - 1);
  const std::int64_t end = begin + (last - first) + 1;
  const std::size_t run = run_at(begin);
  if (end > end_of(run)) return pass_over_runs(array, from, to);
  if (held_[run].part == wanted) return Bytes();
  hold(begin, end, wanted, Runs{run, run});
  return bytes;
}

// A lap at a time: what lies in one goes to places one behind the other.
Bytes DirectMappedCache::pass_over_runs(std::uint64_t array, std::int64_t from, std::int64_t to) {
  const std::int64_t last = (to - 1) >> line_bits_;
  std::int64_t missed = 0;
  for (std::int64_t number = from >> line_bits_; number <= last;) {
    const std::int64_t lap = number >> lines_bits_;
    const Part wanted = part_of(array, lap);
    const std::int64_t base = lap << lines_bits_;
    const std::int64_t begin = number - base;
    const std::int64_t end = std::min(lines(), last + 1 - base);
    Runs runs{run_at(begin), 0};
    runs.last = runs.first;
    for (std::int64_t at = begin;; ++runs.last) {
      const std::int64_t until = std::min(end, end_of(runs.last));
      if (held_[runs.last].part != wanted)
        missed += std::min(to, (base + until) << line_bits_) - std::max(from, (base + at) << line_bits_);
      if (until == end) break;
      at = until;
    }
    hold(begin, end, wanted, runs);
    number = base + end;
  }
  return Bytes(static_cast<std::uint64_t>(missed));
}

// The run that a place belongs to. In which half it lies is chosen without a branch, which could not be predicted.
std::size_t DirectMappedCache::run_at(std::int64_t place) const {
  std::size_t from = 0;
  for (std::size_t count = held_.size(); count > 1;) {
    const std::size_t half = count / 2;
    from = held_[from + half].begin <= place ? from + half : from;
    count -= half;
  }
  return from;
}

// What `hold` does with places of one run, if there are as many runs as before after it. False: there are not.
bool DirectMappedCache::hold_within(std::int64_t begin, std::int64_t end, Part part, std::size_t run) {
  Run& old = held_[run];
  if (old.part == part) return true;
  const bool is_from_beginning = old.begin == begin;
  const bool is_to_end = end == end_of(run);
  const bool joins_before = is_from_beginning && run > 0 && held_[run - 1].part == part;
  const bool joins_after = is_to_end && run + 1 < held_.size() && held_[run + 1].part == part;
  if (is_from_beginning && is_to_end) {
    if (joins_before || joins_after) return false;
    old.part = part;
  } else if (joins_before) {
    old.begin = end;
  } else if (joins_after) {
    held_[run + 1].begin = begin;
  } else {
    return false;
  }
  return true;
}

// These places hold the part from now on: what is left of the runs that they belonged to lies on either side.
void DirectMappedCache::hold(std::int64_t begin, std::int64_t end, Part part, const Runs& old) {
  if (old.first == old.last && hold_within(begin, end, part, old.first)) return;
  const auto [first, last] = old;
  const Run before = held_[first];
  const Run after{end, held_[last].part};
  const bool joins_before = before.begin < begin ? before.part == part : first > 0 && held_[first - 1].part == part;
  const bool leaves_rest = end < end_of(last) && after.part != part;
  const bool joins_after = end == end_of(last) && last + 1 < held_.size() && held_[last + 1].part == part;
  Run put[3];
  std::size_t count = 0;
  if (before.begin < begin) put[count++] = before;
  if (!joins_before) put[count++] = Run{begin, part};
  if (leaves_rest) put[count++] = after;
  const std::size_t old_count = last + 1 - first + (joins_after ? 1 : 0);
  const std::size_t same = std::min(count, old_count);
  for (std::size_t run = 0; run < same; ++run) held_[first + run] = put[run];
  const auto behind = held_.begin() + static_cast<std::ptrdiff_t>(first + same);
  if (count > same) held_.insert(behind, put + same, put + count);
  if (old_count > same) held_.erase(behind, behind + static_cast<std::ptrdiff_t>(old_count - same));
}

}  // namespace hindcast
