// Allreduce by recursive doubling: in round k, partners 2^k apart swap what they have and both combine it, the lower
// rank's part first. Of ranks too many for a power of two, one gives its operand to the other of its pair and gets the
// result from it.
// Needs: nothing. An operation of the program's own takes two copies more.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

namespace {

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

const Row<Algorithm> allreduce_recursive_doubling_row{
    {.operation = CollectiveOperation::allreduce,
     .place = 10,
     .name = "recursive_doubling",
     .function = allreduce_recursive_doubling,
     .means = means::messages,
     .cost = "swaps(L: 2^i, m, C(m), T(m) + C(m)) + [T(m) if 2^L < n] where L = floor(log2 n)"}};

}  // namespace

}  // namespace hindcast::mpi
