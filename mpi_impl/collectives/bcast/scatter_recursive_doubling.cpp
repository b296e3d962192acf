// Broadcast by a scatter and an allgather by recursive doubling, for data of middling length.
// Needs: a power of two of ranks. Costs: log2 n (T(m/2^k) + T(m/2^k)), k = 1, 2, ...
#include "mpi_impl/collectives/bcast/scatter.hpp"
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

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

}  // namespace hindcast::mpi
