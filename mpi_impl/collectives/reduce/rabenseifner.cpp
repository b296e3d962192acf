// Reduction by Rabenseifner (2004): a reduction that leaves each rank a part of the result, by halving, and a gather of
// the parts along the same rounds backwards. Of ranks too many for a power of two, one gives its operand to the other
// of its pair.
// Needs: nothing. One message less is sent if the ranks are no power of two and the root is one that has kept its
// operand. An operation of the program's own takes two copies more.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/halving.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_rabenseifner(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  const int rank = collective.rank();
  const Folding folding(collective);
  if (folding.is_folded()) {
    co_await collective.send(mine, rank + 1);
    if (rank == root) co_await collective.receive(result, rank + 1);
    co_return;
  }
  Halving halving(collective, mine, rank == root ? result : Block(), folding);
  if (folding.stands_for_pair()) co_await halving.take_operand_of_pair();
  co_await halving.run();
  const int root_place = folding.place_of(root);
  const Block sum = halving.sum();
  for (int round = halving.rounds() - 1; round >= 0; --round) {
    const Halving::Part own = halving.part(round + 1), others = halving.partners_part(round);
    const int partner = halving.partner(round);
    if (((folding.place() ^ root_place) & (1 << round)) != 0) {
      co_await collective.send(sum.part(own.begin, own.count), partner);
      co_return;
    }
    co_await collective.receive(sum.part(others.begin, others.count), partner);
  }
  if (rank == root)
    collective.copy(sum, result);
  else
    co_await collective.send(sum, root);
}

const Row<Algorithm> reduce_rabenseifner_row{
    {.operation = CollectiveOperation::reduce,
     .place = 50,
     .name = "rabenseifner",
     .function = reduce_rabenseifner,
     .means = means::messages,
     .cuts_vectors = true,
     .cost = "swaps(2 L: 2^j, m/2^(j+1), [C(m/2^(j+1)) if i < L], T(m) + C(m), [1 if i >= L]) + [T(m) if 2^L < n] "
             "where L = floor(log2 n), j = min(i, 2 L - 1 - i)"}};

}  // namespace

}  // namespace hindcast::mpi
