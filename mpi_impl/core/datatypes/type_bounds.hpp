// How far a datatype reaches and how much data it has, found from where copies of others lie in it, in order
// (MPI-3.1, 4.1). What is too large is refused here, so that nothing that follows from it later is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

class TypeBounds {
 public:
  // So many of `old` side by side, after what has been added before.
  void add_block(const TypeMap& old, std::ptrdiff_t displacement, int length);
  // All there is, in one call, which takes less than one for each block. Block i has length_of(i) of `old`,
  // displacement_of(i) bytes from the beginning.
  template <typename LengthOf, typename DisplacementOf>
  void add_blocks(const TypeMap& old, std::size_t blocks, LengthOf length_of, DisplacementOf displacement_of);
  // All there is: so many blocks of one length, from displacement 0 on; `stride` is in bytes.
  void add_vector(const TypeMap& old, int count, int length, std::ptrdiff_t stride);
  // All but the contents.
  void set(TypeMap& map) const;

 private:
  // So many copies lie at displacements from `least` to `most`, and at both ends.
  void reach_over(const TypeMap& old, std::ptrdiff_t least, std::ptrdiff_t most, std::size_t copies);
  void reach_over_markers(const TypeMap& old, std::ptrdiff_t least, std::ptrdiff_t most);
  std::ptrdiff_t end_of_aligned(std::ptrdiff_t begin, std::ptrdiff_t end) const;

  // What nothing has been put to yet is as far as it can be.
  std::ptrdiff_t data_begin_ = PTRDIFF_MAX, data_end_ = PTRDIFF_MIN;
  std::ptrdiff_t lower_marker_ = PTRDIFF_MAX, upper_marker_ = PTRDIFF_MIN;
  bool has_lower_marker_ = false, has_upper_marker_ = false;
  bool is_one_run_ = true;
  std::ptrdiff_t end_of_run_ = 0;
  std::ptrdiff_t alignment_ = 1;
  std::size_t size_ = 0;
};

inline void TypeBounds::reach_over(const TypeMap& old, std::ptrdiff_t least, std::ptrdiff_t most, std::size_t copies) {
  alignment_ = std::max(alignment_, old.alignment);
  if (old.has_lower_marker || old.has_upper_marker) [[unlikely]]
    reach_over_markers(old, least, most);
  if (old.size == 0) return;
  data_begin_ = std::min(data_begin_, sum(old.true_lower_bound, least));
  data_end_ = std::max(data_end_, sum(old.true_upper_bound, most));
  size_ = size_sum(size_, size_product(copies, old.size));
}

inline void TypeBounds::add_block(const TypeMap& old, std::ptrdiff_t displacement, int length) {
  if (length == 0) return;
  const std::ptrdiff_t last = sum(displacement, product(length - 1, old.extent()));
  const std::size_t size_before = size_;
  reach_over(old, std::min(displacement, last), std::max(displacement, last), static_cast<std::size_t>(length));
  if (!is_one_run_ || old.size == 0) return;
  const std::ptrdiff_t begin = displacement + old.true_lower_bound;
  is_one_run_ = old.lies_together(length) && (size_before == 0 || begin == end_of_run_);
  if (is_one_run_) end_of_run_ = begin + static_cast<std::ptrdiff_t>(size_ - size_before);
}

template <typename LengthOf, typename DisplacementOf>
void TypeBounds::add_blocks(const TypeMap& old, std::size_t blocks, LengthOf length_of,
                            DisplacementOf displacement_of) {
  const std::ptrdiff_t extent = old.extent();
  const bool is_contiguous = old.is_contiguous();
  bool do_blocks_join = old.is_one_run;
  std::ptrdiff_t least = PTRDIFF_MAX, most = PTRDIFF_MIN, last = 0;
  std::size_t copies = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::ptrdiff_t first = displacement_of(i);
    const int length = length_of(i);
    if (length == 0) continue;
    const auto from_last = static_cast<std::size_t>(first) - static_cast<std::size_t>(last);
    do_blocks_join = do_blocks_join && (copies == 0 || from_last == old.size) && (length == 1 || is_contiguous);
    last = sum(first, product(length - 1, extent));
    least = std::min({least, first, last});
    most = std::max({most, first, last});
    copies += static_cast<std::size_t>(length);
  }
  if (copies == 0) return;
  reach_over(old, least, most, copies);
  is_one_run_ = do_blocks_join || size_ == 0;
}

}  // namespace hindcast::mpi
