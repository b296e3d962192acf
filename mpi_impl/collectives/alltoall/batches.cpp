// All-to-all in batches: every rank posts the receives and sends for k others at a time, so that no more are under way.
// Needs: nothing. Costs: ceil((n - 1) / k) (T(m) + (k - 1) (S(m) + R(m))) + K(m), the last batch being shorter.
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task alltoall_batches(Collective& collective, Blocks out, Blocks in) {
  const int n = collective.size(), batch = collective.parameters().radix;
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  for (int first = 1; first < n; first += batch) {
    const int end = std::min(first + batch, n);
    for (int distance = first; distance < end; ++distance) {
      const int from = collective.neighbour(-distance);
      collective.post_receive(in.of(from), from);
    }
    for (int distance = first; distance < end; ++distance) {
      const int to = collective.neighbour(distance);
      collective.post_send(out.of(to), to);
    }
    co_await collective.all();
  }
}

}  // namespace hindcast::mpi
