#include "simulator/hardware/node/program_arrays.hpp"

#include <algorithm>
#include <iterator>

namespace hindcast {

PlaceInArray ProgramArrays::place_of(const void* data, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t end = begin + bytes.count();
  const Found& found = found_at(begin);
  if (found.of_changes == changes_ && found.begin <= begin && end <= found.array.end)
    return {found.array.number, static_cast<std::int64_t>(begin - found.array.first)};
  return find_place(begin, end);
}

// Each array is to have four places. Many searches say that more parts of arrays are passed over than there are places.
void ProgramArrays::count_search() {
  constexpr int found_bits_max = 16;
  const bool are_many = arrays_.size() > found_.size() / 4;
  if ((++searches_ <= found_.size() / 2 && !are_many) || found_bits_ == found_bits_max) return;
  searches_ = 0;
  found_.assign(std::size_t{1} << ++found_bits_, Found());
}

// All that it overlaps becomes one array with it, which has the number of the first of them.
PlaceInArray ProgramArrays::find_place(std::uintptr_t begin, std::uintptr_t end) {
  count_search();
  auto at = first_that_ends_behind(begin);
  if (at == arrays_.end() || at->first >= end) {
    mark_beginning(begin);
    at = arrays_.emplace(begin, Array{end, begin, next_number_++}).first;
  } else if (begin < at->first || at->second.end < end) {
    Array joined = at->second;
    joined.end = std::max(joined.end, end);
    const std::uintptr_t kept_by = std::min(begin, at->first);
    while (at != arrays_.end() && at->first < end) {
      joined.end = std::max(joined.end, at->second.end);
      at = arrays_.erase(at);
    }
    ++changes_;
    mark_beginning(kept_by);
    at = arrays_.emplace(kept_by, joined).first;
  }
  found_at(begin) = {changes_, at->first, at->second};
  return {at->second.number, static_cast<std::int64_t>(begin - at->second.first)};
}

void ProgramArrays::is_free(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  if (!may_have_beginning(begin, begin + bytes)) return;
  auto at = first_that_ends_behind(begin);
  for (; at != arrays_.end() && at->first < begin + bytes; ++changes_) at = arrays_.erase(at);
}

// An array lies in one block of memory, so that a block in which none begins has none.
bool ProgramArrays::may_have_beginning(std::uintptr_t begin, std::uintptr_t end) const {
  if (end - begin > 16 * piece) return true;
  for (std::uintptr_t at = begin / piece * piece; at < end; at += piece)
    if (has_beginning_[mark_of(at)]) return true;
  return false;
}

// Marks of arrays that are gone do no harm while they are few.
void ProgramArrays::mark_beginning(std::uintptr_t begin) {
  if (++marked_ > marks / 8) {
    has_beginning_.reset();
    for (const auto& [known, array] : arrays_) has_beginning_.set(mark_of(known));
    marked_ = 0;
  }
  has_beginning_.set(mark_of(begin));
}

ProgramArrays::Arrays::iterator ProgramArrays::first_that_ends_behind(std::uintptr_t address) {
  auto at = arrays_.upper_bound(address);
  return at != arrays_.begin() && std::prev(at)->second.end > address ? std::prev(at) : at;
}

}  // namespace hindcast
