// Broadcast along a k-nomial tree: who has the data sends it to k - 1 ranks, which share its part of the ranks with it,
// and goes on with its own share.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_knomial(Collective& collective, Block data, int root) {
  const int radix = collective.parameters().radix;
  const Knomial tree = knomial(collective, root, radix);
  if (!tree.is_root()) co_await collective.receive(data, collective.neighbour(-tree.distance_to_parent()));
  for (int stride = tree.widest_stride(); stride > 0; stride /= radix)
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit)
      collective.post_send(data, collective.neighbour(digit * stride));
  co_await collective.all();
}

const Row<Algorithm> bcast_knomial_row{{.operation = CollectiveOperation::bcast,
                                        .place = 20,
                                        .name = "knomial",
                                        .function = bcast_knomial,
                                        .means = means::trees,
                                        .defaults = {0, 4},
                                        .radix_is_open = true,
                                        .cost = "down_knomial(k: m)"}};

}  // namespace

}  // namespace hindcast::mpi
