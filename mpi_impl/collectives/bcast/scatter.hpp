// The first half of broadcasts that scatter: each rank gets its chunk of the data along a binomial tree.
#pragma once

#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

// Chunks and ranks are numbered from the root on.
inline Task scatter_chunks(Collective& collective, Chunks chunks, int root) {
  const Knomial tree = knomial(collective, root, 2);
  const int place = tree.place();
  if (!tree.is_root())
    co_await collective.receive(chunks.range(place, tree.held()), collective.neighbour(-tree.distance_to_parent()));
  for (int stride = tree.widest_stride(); stride > 0; stride /= 2)
    if (tree.has_child(stride))
      co_await collective.send(chunks.range(place + stride, tree.held(stride, stride)), collective.neighbour(stride));
}

}  // namespace hindcast::mpi
