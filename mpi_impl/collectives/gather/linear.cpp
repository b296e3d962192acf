// Gather by the root alone: every rank sends its block to it.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task gather_linear(Collective& collective, Block mine, Blocks all, int root) {
  if (collective.rank() != root) {
    co_await collective.send(mine, root);
    co_return;
  }
  for (int rank = 0; rank < collective.size(); ++rank)
    if (rank != root) collective.post_receive(all.of(rank), rank);
  collective.copy(mine, all.of(root));
  co_await collective.all();
}

constexpr Algorithm gather_linear_algorithm{.operation = CollectiveOperation::gather,
                                            .place = 10,
                                            .name = "linear",
                                            .function = gather_linear,
                                            .means = means::messages,
                                            .cost = "max(T(m), K(m) + R(m)) + (n-2) R(m)"};
const Row<Algorithm> gather_linear_row{gather_linear_algorithm},
    gatherv_linear_row{gather_linear_algorithm.of(CollectiveOperation::gatherv, 10)};

}  // namespace

}  // namespace hindcast::mpi
