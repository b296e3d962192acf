// Allgather by a broadcast of the machine's from every rank. All post their receives first, so that what comes is taken
// in whatever order the machine has chosen.
// Needs: the machine's broadcast.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_broadcasts(Collective& collective, Block mine, Blocks all) {
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(distance);
    collective.post_receive(all.of(from), from);
  }
  if (collective.size() > 1) collective.post_broadcast(mine);
  collective.copy(mine, all.of(collective.rank()));
  co_await collective.all();
}

constexpr Algorithm allgather_broadcasts_algorithm{.operation = CollectiveOperation::allgather,
                                                   .place = 80,
                                                   .name = "broadcasts",
                                                   .function = allgather_broadcasts,
                                                   .means = means::broadcast,
                                                   .needs = need::broadcast,
                                                   .cost = "B(m) + Y(m) + (n-2) Q(m) + K(m)"};
const Row<Algorithm> allgather_broadcasts_row{allgather_broadcasts_algorithm},
    allgatherv_broadcasts_row{allgather_broadcasts_algorithm.of(CollectiveOperation::allgatherv, 80)};

}  // namespace

}  // namespace hindcast::mpi
