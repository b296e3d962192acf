// Barrier by dissemination with several partners a round (Hoefler and others 2006): in the round of place k^i every
// rank tells those 1, 2, ... k - 1 times k^i further on, and hears from as many before it. Needs: nothing. Costs:
// ceil(log_k n) (T(0) + (k - 2) (S(0) + R(0))).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task barrier_nway_dissemination(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  const int n = collective.size(), radix = collective.parameters().radix;
  for (long place = 1; place < n; place *= radix) {
    const int partners = static_cast<int>(std::min<long>(radix - 1, (n - 1) / place));
    const int distance = static_cast<int>(place);
    for (int i = 1; i <= partners; ++i) collective.post_receive(nothing, collective.neighbour(-i * distance));
    for (int i = 1; i <= partners; ++i) collective.post_send(nothing, collective.neighbour(i * distance));
    co_await collective.all();
  }
}

}  // namespace hindcast::mpi
