// Barrier by recursive doubling: in round k partners 2^k apart tell each other. Of ranks too many for a power of two,
// one tells the other of its pair first, and hears from it last.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_recursive_doubling(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  const Folding folding(collective);
  const int rank = collective.rank();
  if (folding.is_folded()) {
    co_await collective.send(nothing, rank + 1);
    co_await collective.receive(nothing, rank + 1);
    co_return;
  }
  if (folding.stands_for_pair()) co_await collective.receive(nothing, rank - 1);
  for (int distance = 1; distance < folding.places(); distance *= 2) {
    const int partner = folding.rank_at(folding.place() ^ distance);
    co_await collective.exchange(nothing, partner, nothing, partner);
  }
  if (folding.stands_for_pair()) co_await collective.send(nothing, rank - 1);
}

const Row<Algorithm> barrier_recursive_doubling_row{{.operation = CollectiveOperation::barrier,
                                                     .place = 30,
                                                     .name = "recursive_doubling",
                                                     .function = barrier_recursive_doubling,
                                                     .means = means::messages,
                                                     .cost = "(L + [2 if 2^L < n]) T(0) where L = floor(log2 n)"}};

}  // namespace

}  // namespace hindcast::mpi
