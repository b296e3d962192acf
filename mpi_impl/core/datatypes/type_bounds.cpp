#include "mpi_impl/core/datatypes/type_bounds.hpp"

namespace hindcast::mpi {

void TypeBounds::add_vector(const TypeMap& old, int count, int length, std::ptrdiff_t stride) {
  if (count == 0 || length == 0) return;
  const std::ptrdiff_t last_block = product(count - 1, stride);
  const std::ptrdiff_t last_element = product(length - 1, old.extent());
  const std::ptrdiff_t last = sum(last_block, last_element);
  const auto blocks = static_cast<std::size_t>(count), elements = static_cast<std::size_t>(length);
  reach_over(old, std::min({std::ptrdiff_t{0}, last_block, last_element, last}),
             std::max({std::ptrdiff_t{0}, last_block, last_element, last}), blocks * elements);
  const bool do_blocks_join = count == 1 || static_cast<std::ptrdiff_t>(elements * old.size) == stride;
  is_one_run_ = size_ == 0 || (old.lies_together(length) && do_blocks_join);
}

void TypeBounds::reach_over_markers(const TypeMap& old, std::ptrdiff_t least, std::ptrdiff_t most) {
  if (old.has_lower_marker) {
    has_lower_marker_ = true;
    lower_marker_ = std::min(lower_marker_, sum(old.lower_bound, least));
  }
  if (old.has_upper_marker) {
    has_upper_marker_ = true;
    upper_marker_ = std::max(upper_marker_, sum(old.upper_bound, most));
  }
}

void TypeBounds::set(TypeMap& map) const {
  map.size = size_;
  map.is_one_run = is_one_run_;
  map.alignment = alignment_;
  map.has_lower_marker = has_lower_marker_;
  map.has_upper_marker = has_upper_marker_;
  if (size_ > 0) {
    map.true_lower_bound = data_begin_;
    map.true_upper_bound = data_end_;
  }
  if (has_lower_marker_)
    map.lower_bound = lower_marker_;
  else if (size_ > 0)
    map.lower_bound = data_begin_;
  else if (has_upper_marker_)
    map.lower_bound = upper_marker_;
  if (has_upper_marker_)
    map.upper_bound = upper_marker_;
  else
    map.upper_bound = size_ > 0 ? end_of_aligned(map.lower_bound, data_end_) : map.lower_bound;
}

// As much further than the data as makes the extent a multiple of the strictest alignment.
std::ptrdiff_t TypeBounds::end_of_aligned(std::ptrdiff_t begin, std::ptrdiff_t end) const {
  const std::ptrdiff_t beyond = (end - begin) % alignment_;
  return beyond > 0 ? sum(end, alignment_ - beyond) : end;
}

}  // namespace hindcast::mpi
