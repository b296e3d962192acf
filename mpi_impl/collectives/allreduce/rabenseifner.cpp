// Allreduce by Rabenseifner (2004): a reduction that leaves each rank a part of the result, by halving, and an
// allgather of the parts, by doubling. Of ranks too many for a power of two, one gives its operand to the other of its
// pair and gets the result from it.
// Needs: nothing. An operation of the program's own takes a copy more of the operand, and one of a rank's part.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/halving.hpp"

namespace hindcast::mpi {

namespace {

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

const Row<Algorithm> allreduce_rabenseifner_row{
    {.operation = CollectiveOperation::allreduce,
     .place = 40,
     .name = "rabenseifner",
     .function = allreduce_rabenseifner,
     .means = means::messages,
     .cuts_vectors = true,
     .cost = "swaps(2 L: 2^j, m/2^(j+1), [C(m/2^(j+1)) if i < L], T(m) + C(m)) + [T(m) if 2^L < n] "
             "where L = floor(log2 n), j = min(i, 2 L - 1 - i)"}};

}  // namespace

}  // namespace hindcast::mpi
