// Broadcast along a binomial tree: who has the data sends it to the rank half of its part of the ranks away, and halves
// its part.
// Needs: nothing.
#include "mpi_impl/collectives/bcast/binomial.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

Task bcast_binomial(Collective& collective, Block data, int root) {
  const Knomial tree = knomial(collective, root, 2);
  if (!tree.is_root()) co_await collective.receive(data, collective.neighbour(-tree.distance_to_parent()));
  for (int stride = tree.widest_stride(); stride > 0; stride /= 2)
    if (tree.has_child(stride)) co_await collective.send(data, collective.neighbour(stride));
}

namespace {

const Row<Algorithm> bcast_binomial_row{{.operation = CollectiveOperation::bcast,
                                         .place = 10,
                                         .name = "binomial",
                                         .function = bcast_binomial,
                                         .means = means::trees,
                                         .cost = "down_knomial(2: m)"}};

}  // namespace

}  // namespace hindcast::mpi
