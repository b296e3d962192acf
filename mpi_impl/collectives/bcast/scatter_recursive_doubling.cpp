// Broadcast by a scatter and an allgather by recursive doubling, for data of middling length.
// Needs: a power of two of ranks.
#include "mpi_impl/collectives/bcast/scatter.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_scatter_recursive_doubling(Collective& collective, Block data, int root) {
  const int n = collective.size(), place = collective.neighbour(-root);
  Flat flat(collective, data, place == 0);
  const Chunks chunks(flat.bytes(), n);
  co_await scatter_chunks(collective, chunks, root);
  for (int distance = 1; distance < n; distance *= 2) {
    const int partner_place = place ^ distance;
    const int partner = (partner_place + root) % n;
    const Block out = chunks.range(place & -distance, distance);
    const Block in = chunks.range(partner_place & -distance, distance);
    co_await collective.exchange(out, partner, in, partner);
  }
  if (place != 0) flat.put_back();
}

const Row<Algorithm> bcast_scatter_recursive_doubling_row{{.operation = CollectiveOperation::bcast,
                                                           .place = 70,
                                                           .name = "scatter_recursive_doubling",
                                                           .function = bcast_scatter_recursive_doubling,
                                                           .means = means::messages,
                                                           .needs = need::power_of_two,
                                                           .cost = "2 sum(i = 1..ceil(log2 n): T(m/2^i))"}};

}  // namespace

}  // namespace hindcast::mpi
