// All-to-all in which every rank posts all its receives, then all its sends, beginning with its neighbours.
// Needs: nothing. Costs: T(m) + (n - 2) (S(m) + R(m)) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task alltoall_linear(Collective& collective, Blocks out, Blocks in) {
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(-distance);
    collective.post_receive(in.of(from), from);
  }
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int to = collective.neighbour(distance);
    collective.post_send(out.of(to), to);
  }
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  co_await collective.all();
}

}  // namespace hindcast::mpi
