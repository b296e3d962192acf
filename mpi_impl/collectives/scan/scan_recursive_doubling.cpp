// Scan by recursive doubling: in round k each rank tells the one 2^k further on what the last 2^k ranks have come to,
// and puts what it hears before its own. Needs: nothing. Costs: ceil(log2 n) (T(m) + C(m)); rank 0, ceil(log2 n) S(m) +
// K(m). An operation of the program's own: 2 K(m) more.
#include <bit>

#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

Task scan_recursive_doubling(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const int rounds_heard = std::bit_width(static_cast<unsigned>(rank));
  RunningSum sum(collective, mine, result, rounds_heard);
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    const int to = rank + distance < collective.size() ? rank + distance : MPI_PROC_NULL;
    const int from = rank >= distance ? rank - distance : MPI_PROC_NULL;
    co_await sum.exchange(to, from, true);
  }
  sum.put_in_result();
}

}  // namespace hindcast::mpi
