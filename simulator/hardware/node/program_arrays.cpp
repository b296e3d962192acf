#include "simulator/hardware/node/program_arrays.hpp"

#include <algorithm>
#include <iterator>

namespace hindcast {

// All that it overlaps becomes one array with it, which has the number of the first of them.
PlaceInArray ProgramArrays::place_of(const void* data, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t end = begin + bytes.count();
  const auto place_in = [begin](const Array& array) {
    return PlaceInArray{array.number, static_cast<std::int64_t>(begin - array.first)};
  };
  auto at = first_that_ends_behind(begin);
  if (at == arrays_.end() || at->first >= end) {
    mark_beginning(begin);
    return place_in(arrays_.emplace(begin, Array{end, begin, next_number_++}).first->second);
  }
  if (at->first <= begin && end <= at->second.end) return place_in(at->second);
  Array joined = at->second;
  joined.end = std::max(joined.end, end);
  const std::uintptr_t kept_by = std::min(begin, at->first);
  while (at != arrays_.end() && at->first < end) {
    joined.end = std::max(joined.end, at->second.end);
    at = arrays_.erase(at);
  }
  mark_beginning(kept_by);
  return place_in(arrays_.emplace(kept_by, joined).first->second);
}

void ProgramArrays::is_free(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  if (!may_have_beginning(begin, begin + bytes)) return;
  auto at = first_that_ends_behind(begin);
  while (at != arrays_.end() && at->first < begin + bytes) at = arrays_.erase(at);
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
