// Barrier by dissemination with several partners a round (Hoefler and others 2006): in the round of place k^i every
// rank tells those 1, 2, ... k - 1 times k^i further on, and hears from as many before it.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

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

const Row<Algorithm> barrier_nway_dissemination_row{{.operation = CollectiveOperation::barrier,
                                                     .place = 20,
                                                     .name = "nway_dissemination",
                                                     .function = barrier_nway_dissemination,
                                                     .means = means::messages,
                                                     .defaults = {0, 4},
                                                     .radix_is_open = true,
                                                     .cost = "levels(k: T(0) + (c-1) (S(0) + R(0)))"}};

}  // namespace

}  // namespace hindcast::mpi
