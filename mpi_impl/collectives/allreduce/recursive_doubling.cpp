// Allreduce by recursive doubling: in round k, partners 2^k apart swap what they have and both combine it, the lower
// rank's part first. Of ranks too many for a power of two, one gives its operand to the other of its pair and gets the
// result from it.
// Needs: nothing. Costs: floor(log2 n) (T(m) + C(m)), and 2 T(m) + C(m) + floor(log2 n) W(m) more if n is no power of
// two. An operation of the program's own: 2 K(m) more.
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

Task allreduce_recursive_doubling(Collective& collective, Block mine, Block result) {
  if (mine.count == 0) co_return;
  const int rank = collective.rank();
  const Folding folding(collective);
  if (folding.is_folded()) {
    co_await collective.send(mine, rank + 1);
    co_await collective.receive(result, rank + 1);
    co_return;
  }
  RunningSum sum(collective, mine, result, folding.rounds() + (folding.stands_for_pair() ? 1 : 0));
  if (folding.stands_for_pair()) co_await sum.exchange(MPI_PROC_NULL, rank - 1, true);
  for (int distance = 1; distance < folding.places(); distance *= 2) {
    const int partner = folding.rank_at(folding.place() ^ distance);
    co_await sum.exchange(partner, partner, partner < rank);
  }
  sum.put_in_result();
  if (folding.stands_for_pair()) co_await collective.send(result, rank - 1);
}

}  // namespace hindcast::mpi
