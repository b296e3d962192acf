// All-to-all in n - 1 rounds: in round k each rank sends to the one k further on and receives from the one k before.
// Needs: nothing. Costs: (n - 1) T(m) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task alltoall_ring(Collective& collective, Blocks out, Blocks in) {
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  const SentForGood stays(collective);
  for (int round = 1; round < collective.size(); ++round) {
    const int to = collective.neighbour(round);
    const int from = collective.neighbour(-round);
    co_await collective.exchange(out.of(to), to, in.of(from), from);
  }
}

}  // namespace hindcast::mpi
