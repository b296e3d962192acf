// Where the ranks of a run are: on which node, and at which site.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi_impl/transport/place.hpp"

namespace hindcast::mpi {

// Of all ranks, once a run.
class Places {
 public:
  void put(int world_rank, Place place);
  const Place& of(int world_rank) const { return places_[static_cast<std::size_t>(world_rank)]; }
  // Each rank is known to be on a node of its own, all at one site: then no group has levels.
  bool are_all_alike() const { return are_all_alike_; }

 private:
  std::vector<Place> places_;
  std::vector<bool> has_rank_;  // by node
  bool are_all_alike_ = true;
};

}  // namespace hindcast::mpi
