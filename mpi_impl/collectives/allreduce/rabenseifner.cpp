// Allreduce by Rabenseifner (2004): a reduction that leaves each rank a part of the result, by halving, and an
// allgather of the parts, by doubling. Of ranks too many for a power of two, one gives its operand to the other of its
// pair and gets the result from it. Needs: nothing. Costs: 2 log2 n rounds with half the data, a quarter, ... : the sum
// of 2 T(m/2^k) + C(m/2^k); if n is no power of two, 2 T(m) + C(m) and the sum of W(m/2^k) more. An operation of the
// program's own: K(m) + K(m/n) more.
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/halving.hpp"

namespace hindcast::mpi {

Task allreduce_rabenseifner(Collective& collective, Block mine, Block result) {
  if (mine.count == 0) co_return;
  const int rank = collective.rank();
  const Folding folding(collective);
  if (folding.is_folded()) {
    co_await collective.send(mine, rank + 1);
    co_await collective.receive(result, rank + 1);
    co_return;
  }
  Halving halving(collective, mine, result, folding);
  if (folding.stands_for_pair()) co_await halving.take_operand_of_pair();
  co_await halving.run();
  const Halving::Part own = halving.part(halving.rounds());
  collective.copy(halving.sum().part(own.begin, own.count), result.part(own.begin, own.count));
  for (int round = halving.rounds() - 1; round >= 0; --round) {
    const Halving::Part out = halving.part(round + 1), in = halving.partners_part(round);
    const int partner = halving.partner(round);
    co_await collective.exchange(result.part(out.begin, out.count), partner, result.part(in.begin, in.count), partner);
  }
  if (folding.stands_for_pair()) co_await collective.send(result, rank - 1);
}

}  // namespace hindcast::mpi
