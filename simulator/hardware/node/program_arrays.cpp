#include "simulator/hardware/node/program_arrays.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hindcast {

PlaceInArray ProgramArrays::place_of(const void* data, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  return search(begin, begin + bytes.count()).place;
}

// All that it overlaps becomes one array with it, which has the number of the first of them.
ProgramArrays::Searched ProgramArrays::search(std::uintptr_t begin, std::uintptr_t end) {
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
  return {{at->second.number, static_cast<std::int64_t>(begin - at->second.first)}, at->second.end};
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

// Marks of arrays that are gone do no harm while they are few. To make them anew takes a look at every array, so as
// many have to have come since.
void ProgramArrays::mark_beginning(std::uintptr_t begin) {
  if (++marked_ > std::max(marks / 8, arrays_.size())) {
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

// --- what was found last ---

PlaceInArray ProgramArrays::Found::search(ProgramArrays& arrays, std::uintptr_t begin, std::uintptr_t end) {
  const Searched found = arrays.search(begin, end);
  const bool are_others = std::exchange(of_changes_, arrays.changes_) != arrays.changes_;
  if (are_others && places_ != nullptr) std::fill_n(places_.get(), size(), Place());
  make_room();
  Place& kept = place_for(begin);
  if (kept.end != 0 && kept.begin != begin) ++taken_away_;
  kept = {begin, found.end, found.place};
  return found.place;
}

// Where many take each other's places away there are too few. To find them again takes a search each.
void ProgramArrays::Found::make_room() {
  if (places_ != nullptr && (taken_away_ <= size() / 2 || bits_ == bits_max)) return;
  taken_away_ = 0;
  ++bits_;
  places_ = std::make_unique<Place[]>(size());
}

}  // namespace hindcast
