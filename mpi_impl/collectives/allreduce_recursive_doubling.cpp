// Allreduce by recursive doubling: in round k, partners 2^k apart swap what they have and both combine it, the lower
// rank's part first. Of ranks too many for a power of two, one gives its operand to the other of its pair and gets the
// result from it.
// Needs: nothing. Costs: floor(log2 n) (T(m) + C(m)) + 2 K(m), and 2 T(m) + C(m) more if n is no power of two.
#include <utility>

#include "mpi_impl/collectives/algorithms.hpp"
#include "mpi_impl/collectives/layout_of_ranks.hpp"

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
  const Scratch one(collective.pool(), mine), two(collective.pool(), mine);
  Block sum = one.block(), other = two.block();
  collective.copy(mine, sum);
  if (folding.stands_for_pair()) {
    co_await collective.receive(other, rank - 1);
    collective.combine(other.data, sum);
  }
  for (int distance = 1; distance < folding.places(); distance *= 2) {
    const int partner = folding.rank_at(folding.place() ^ distance);
    co_await collective.exchange(sum, partner, other, partner);
    if (partner < rank) {
      collective.combine(other.data, sum);
    } else {
      collective.combine(sum.data, other);
      std::swap(sum, other);
    }
  }
  collective.copy(sum, result);
  if (folding.stands_for_pair()) co_await collective.send(sum, rank - 1);
}

}  // namespace hindcast::mpi
