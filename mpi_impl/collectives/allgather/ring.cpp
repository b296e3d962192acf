// Allgather around a ring: in every round each rank hands on the block that it got in the round before.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_ring(Collective& collective, Block mine, Blocks all) {
  collective.copy(mine, all.of(collective.rank()));
  const SentForGood stays(collective);
  for (int round = 0; round + 1 < collective.size(); ++round)
    co_await collective.exchange(all.of(collective.neighbour(-round)), collective.neighbour(1),
                                 all.of(collective.neighbour(-round - 1)), collective.neighbour(-1));
}

constexpr Algorithm allgather_ring_algorithm{.operation = CollectiveOperation::allgather,
                                             .place = 10,
                                             .name = "ring",
                                             .function = allgather_ring,
                                             .means = means::messages,
                                             .cost = "(n-1) T(m) + K(m)"};
const Row<Algorithm> allgather_ring_row{allgather_ring_algorithm},
    allgatherv_ring_row{allgather_ring_algorithm.of(CollectiveOperation::allgatherv, 10)};

}  // namespace

}  // namespace hindcast::mpi
