// All-to-all in n - 1 rounds, in each of which the ranks swap blocks in pairs: in round k with the one whose number
// differs in the bits of k.
// Needs: a power of two of ranks.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

// Not in the algorithm's frame, so that this keeps to fewer cache lines.
Round swap(Collective& collective, const Blocks& out, const Blocks& in, int partner) {
  return collective.exchange(out.of(partner), partner, in.of(partner), partner);
}

Task alltoall_pairwise(Collective& collective, Blocks out, Blocks in) {
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  const SentForGood stays(collective);
  for (int round = 1; round < collective.size(); ++round) {
    co_await swap(collective, out, in, collective.rank() ^ round);
  }
}

constexpr Algorithm alltoall_pairwise_algorithm{.operation = CollectiveOperation::alltoall,
                                                .place = 20,
                                                .name = "pairwise",
                                                .function = alltoall_pairwise,
                                                .means = means::messages,
                                                .needs = need::power_of_two,
                                                .carries = Carries::single_block,
                                                .cost = "(n-1) T(m) + K(m)"};
const Row<Algorithm> alltoall_pairwise_row{alltoall_pairwise_algorithm},
    alltoallv_pairwise_row{alltoall_pairwise_algorithm.of(CollectiveOperation::alltoallv, 20)},
    alltoallw_pairwise_row{alltoall_pairwise_algorithm.of(CollectiveOperation::alltoallw, 20)};

}  // namespace

}  // namespace hindcast::mpi
