// A list of the library's as it is searched, one element after the other from the first that came: how many a search
// passes. What is found in it is found elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hindcast::mpi {

class SearchedList {
 public:
  void add(const void* element) { elements_.push_back(element); }
  // It is in the list.
  std::uint64_t before(const void* element) const {
    return static_cast<std::uint64_t>(std::find(elements_.begin(), elements_.end(), element) - elements_.begin());
  }
  // The same, and it is no longer there.
  std::uint64_t remove(const void* element) {
    const std::uint64_t place = before(element);
    elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(place));
    return place;
  }
  std::uint64_t size() const { return elements_.size(); }

 private:
  std::vector<const void*> elements_;
};

}  // namespace hindcast::mpi
