// Puts a datatype together from others: first how far they reach, then what they hold, in order.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

class Assembly {
 public:
  // Copies of `old` lie at displacements from `first` to `last` (or the other way round), and at both ends.
  void reach_over(const TypeMap& old, std::ptrdiff_t first, std::ptrdiff_t last);
  void add(LayoutPointer layout, SignaturePointer signature);
  TypeMapPointer finish(Contents contents) const;

 private:
  struct Reach {
    std::optional<std::ptrdiff_t> least, most;
    void include(std::ptrdiff_t place) {
      least = least ? std::min(*least, place) : place;
      most = most ? std::max(*most, place) : place;
    }
  };

  std::ptrdiff_t end_of_aligned(const TypeMap& map) const;

  Reach data_begin_, data_end_, lower_marker_, upper_marker_;
  std::ptrdiff_t alignment_ = 1;
  // Most have one of each.
  boost::container::small_vector<LayoutPointer, 1> layouts_;
  boost::container::small_vector<SignaturePointer, 1> signatures_;
};

}  // namespace hindcast::mpi
