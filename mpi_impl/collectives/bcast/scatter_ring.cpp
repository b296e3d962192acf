// Broadcast by a scatter and an allgather around a ring, for long data (van de Geijn 1994).
// Needs: nothing.
#include "mpi_impl/collectives/bcast/scatter.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_scatter_ring(Collective& collective, Block data, int root) {
  const int n = collective.size(), place = collective.neighbour(-root);
  Flat flat(collective, data, place == 0);
  const Chunks chunks(flat.bytes(), n);
  co_await scatter_chunks(collective, chunks, root);
  for (int round = 0; round + 1 < n; ++round) {
    const Block out = chunks.of((place - round + n) % n);
    const Block in = chunks.of((place - round - 1 + n) % n);
    co_await collective.exchange(out, collective.neighbour(1), in, collective.neighbour(-1));
  }
  if (place != 0) flat.put_back();
}

const Row<Algorithm> bcast_scatter_ring_row{{.operation = CollectiveOperation::bcast,
                                             .place = 60,
                                             .name = "scatter_ring",
                                             .function = bcast_scatter_ring,
                                             .means = means::messages,
                                             .cost = "down_knomial_and_around(2: b m/n, m/n)"}};

}  // namespace

}  // namespace hindcast::mpi
