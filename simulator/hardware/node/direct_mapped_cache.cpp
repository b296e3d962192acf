#include "simulator/hardware/node/direct_mapped_cache.hpp"

namespace hindcast {

// Most passes are short.
void DirectMappedCache::go_over(const Pass& pass) {
  const std::int64_t first = line_of(pass.from);
  const std::int64_t end = line_of(pass.from + static_cast<std::int64_t>(pass.bytes) - 1) + 1;
  const std::int64_t place = place_of(first);
  if (end == first + 1 && group_at(place) == Part::by_singles)
    single_at(place) = part_of(pass.array, first);
  else if (place + (end - first) <= places())
    hold_in_lap(part_of(pass.array, first), place, place + (end - first));
  else
    hold_laps(pass.array, first, end);
}

void DirectMappedCache::go_over_noted() {
  for (std::size_t i = 0; i < noted_; ++i) go_over(notes_[i]);
  noted_ = 0;
}

void DirectMappedCache::pass_far_over(std::uint64_t array, std::int64_t from, Bytes bytes) {
  go_over_noted();
  hold_laps(array, line_of(from), line_of(from + static_cast<std::int64_t>(bytes.count()) - 1) + 1);
}

// What a pass has brought itself is not there any more when it comes by the same place again.
Bytes DirectMappedCache::count_pass_over(std::uint64_t array, std::int64_t from, Bytes bytes) {
  if (bytes == Bytes()) return bytes;
  go_over_noted();
  const std::int64_t to = from + static_cast<std::int64_t>(bytes.count());
  const std::int64_t first = line_of(from);
  const std::int64_t end = line_of(to - 1) + 1;
  std::int64_t found = 0;
  for (std::int64_t line = first; line < std::min(end, first + places()); ++line)
    if (holds(array, line)) found += std::min(to, (line + 1) << line_bits_) - std::max(from, line << line_bits_);
  hold_laps(array, first, end);
  return Bytes(bytes.count() - static_cast<std::uint64_t>(found));
}

bool DirectMappedCache::holds(std::uint64_t array, std::int64_t line) {
  const std::int64_t place = place_of(line);
  const Part all = group_at(place);
  return (all == Part::by_singles ? single_at(place) : all) == part_of(array, line);
}

// Of what is longer than the cache, the end stays.
void DirectMappedCache::hold_laps(std::uint64_t array, std::int64_t first, std::int64_t end) {
  for (std::int64_t line = std::max(first, end - places()); line < end;) {
    const std::int64_t until = std::min(end, (line | (places() - 1)) + 1);
    const std::int64_t place = place_of(line);
    hold_in_lap(part_of(array, line), place, place + until - line);
    line = until;
  }
}

void DirectMappedCache::hold_in_lap(Part part, std::int64_t place, std::int64_t end) {
  const std::int64_t group = (place + group_size - 1) / group_size;
  const std::int64_t groups_end = end / group_size;
  if (group > groups_end) return hold_in_group(part, place, end);
  if (place < group * group_size) hold_in_group(part, place, group * group_size);
  for (std::int64_t whole = group; whole < groups_end; ++whole) groups_[static_cast<std::size_t>(whole)] = part;
  if (groups_end * group_size < end) hold_in_group(part, groups_end * group_size, end);
}

void DirectMappedCache::hold_in_group(Part part, std::int64_t place, std::int64_t end) {
  Part& all = group_at(place);
  if (all == part) return;
  if (all != Part::by_singles) std::fill_n(&single_at(place / group_size * group_size), group_size, all);
  all = Part::by_singles;
  std::fill_n(&single_at(place), end - place, part);
}

}  // namespace hindcast
