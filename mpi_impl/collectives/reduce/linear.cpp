// Reduction by the root alone: it takes the operands of all ranks in turn, from the last on, which keeps their order.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_linear(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  if (collective.rank() != root) {
    co_await collective.send(mine, root);
    co_return;
  }
  const int last = collective.size() - 1;
  const Scratch sum(collective.pool(), mine), other(collective.pool(), mine);
  if (root == last)
    collective.copy(mine, sum.block());
  else
    co_await collective.receive(sum.block(), last);
  for (int rank = last - 1; rank >= 0; --rank) {
    if (rank != root) co_await collective.receive(other.block(), rank);
    collective.combine(rank == root ? mine.data : other.block().data, sum.block());
  }
  collective.copy(sum.block(), result);
}

const Row<Algorithm> reduce_linear_row{{.operation = CollectiveOperation::reduce,
                                        .place = 30,
                                        .name = "linear",
                                        .function = reduce_linear,
                                        .means = means::messages,
                                        .cost = "T(m) + (n-2) (R(m) + W(m)) + (n-1) C(m) + K(m)"}};

}  // namespace

}  // namespace hindcast::mpi
