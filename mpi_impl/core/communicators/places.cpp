#include "mpi_impl/core/communicators/places.hpp"

#include <algorithm>

namespace hindcast::mpi {

void Places::put(int world_rank, Place place) {
  const auto rank = static_cast<std::size_t>(world_rank), node = static_cast<std::size_t>(place.node);
  has_rank_.resize(std::max(has_rank_.size(), node + 1));
  if (has_rank_[node] || (!places_.empty() && places_.front().site != place.site)) are_all_alike_ = false;
  has_rank_[node] = true;
  places_.resize(std::max(places_.size(), rank + 1));
  places_[rank] = place;
}

}  // namespace hindcast::mpi
