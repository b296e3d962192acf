// Allgather by exchange with neighbours (Chen and others 2005): pairs swap their blocks; from then on each rank hands
// its two neighbours in turn the two blocks that it got last.
// Needs: an even number of ranks.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_neighbor_exchange(Collective& collective, Block mine, Blocks all) {
  const int n = collective.size(), rank = collective.rank();
  const bool is_even = rank % 2 == 0;
  Assembled blocks(collective, all);
  collective.copy(mine, blocks.of(rank));
  const SentForGood stays(collective);
  const int partner = rank ^ 1;
  co_await collective.exchange(blocks.of(rank), partner, blocks.of(partner), partner);
  // From the partner's side come pairs of ever greater distance on that side, from the other side on the other.
  const int side = is_even ? 1 : -1;
  int sent = rank & ~1;
  for (int round = 1; round < n / 2; ++round) {
    const bool with_partner = round % 2 == 0;
    const int from = collective.neighbour(with_partner ? side : -side);
    const int pairs_away = (round + 1) / 2;
    const int direction = with_partner ? side : -side;
    const int received = ((rank & ~1) + direction * 2 * pairs_away + 2 * n) % n;
    co_await collective.exchange(blocks.range(sent, 2), from, blocks.range(received, 2), from);
    sent = received;
  }
  blocks.put_back();
}

constexpr Algorithm allgather_neighbor_exchange_algorithm{.operation = CollectiveOperation::allgather,
                                                          .place = 40,
                                                          .name = "neighbor_exchange",
                                                          .function = allgather_neighbor_exchange,
                                                          .means = means::messages,
                                                          .needs = need::even,
                                                          .cost = "T(m) + (floor(n/2)-1) T(2 m) + K(m)"};
const Row<Algorithm> allgather_neighbor_exchange_row{allgather_neighbor_exchange_algorithm},
    allgatherv_neighbor_exchange_row{allgather_neighbor_exchange_algorithm.of(CollectiveOperation::allgatherv, 40)};

}  // namespace

}  // namespace hindcast::mpi
