// Broadcast along a k-nomial tree: who has the data sends it to k - 1 ranks, which share its part of the ranks with it,
// and goes on with its own share.
// Needs: nothing. Costs: ceil(log_k n) (T(m) + (k - 2) S(m)).
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

Task bcast_knomial(Collective& collective, Block data, int root) {
  const int radix = collective.parameters().radix;
  const Knomial tree(collective, root, radix);
  if (!tree.is_root()) co_await collective.receive(data, collective.neighbour(-tree.distance_to_parent()));
  for (int stride = tree.widest_stride(); stride > 0; stride /= radix)
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit)
      collective.post_send(data, collective.neighbour(digit * stride));
  co_await collective.all();
}

}  // namespace hindcast::mpi
