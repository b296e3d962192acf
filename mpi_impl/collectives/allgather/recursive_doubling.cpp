// Allgather by recursive doubling: in round k partners 2^k apart swap all the blocks that they have.
// Needs: a power of two of ranks.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_recursive_doubling(Collective& collective, Block mine, Blocks all) {
  const int rank = collective.rank();
  Assembled blocks(collective, all);
  collective.copy(mine, blocks.of(rank));
  const SentForGood stays(collective);
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    const int partner = rank ^ distance;
    co_await collective.exchange(blocks.range(rank & -distance, distance), partner,
                                 blocks.range(partner & -distance, distance), partner);
  }
  blocks.put_back();
}

constexpr Algorithm allgather_recursive_doubling_algorithm{.operation = CollectiveOperation::allgather,
                                                           .place = 20,
                                                           .name = "recursive_doubling",
                                                           .function = allgather_recursive_doubling,
                                                           .means = means::messages,
                                                           .needs = need::power_of_two,
                                                           .cost = "sum(i = 1..ceil(log2 n): T(n m/2^i)) + K(m)"};
const Row<Algorithm> allgather_recursive_doubling_row{allgather_recursive_doubling_algorithm},
    allgatherv_recursive_doubling_row{allgather_recursive_doubling_algorithm.of(CollectiveOperation::allgatherv, 20)};

}  // namespace

}  // namespace hindcast::mpi
