// All-to-all in n - 1 rounds: in round k each rank sends to the one k further on and receives from the one k before.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task alltoall_ring(Collective& collective, Blocks out, Blocks in) {
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  const SentForGood stays(collective);
  for (int round = 1; round < collective.size(); ++round) {
    const int to = collective.neighbour(round);
    const int from = collective.neighbour(-round);
    co_await collective.exchange(out.of(to), to, in.of(from), from);
  }
}

constexpr Algorithm alltoall_ring_algorithm{.operation = CollectiveOperation::alltoall,
                                            .place = 10,
                                            .name = "ring",
                                            .function = alltoall_ring,
                                            .means = means::messages,
                                            .carries = Carries::single_block,
                                            .cost = "(n-1) T(m) + K(m)"};
const Row<Algorithm> alltoall_ring_row{alltoall_ring_algorithm},
    alltoallv_ring_row{alltoall_ring_algorithm.of(CollectiveOperation::alltoallv, 10)},
    alltoallw_ring_row{alltoall_ring_algorithm.of(CollectiveOperation::alltoallw, 10)};

}  // namespace

}  // namespace hindcast::mpi
