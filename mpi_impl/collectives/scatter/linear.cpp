// Scatter by the root alone: it sends every rank its block.
// Needs: nothing.
#include "mpi_impl/collectives/scatter/linear.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

Task scatter_linear(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() != root) {
    co_await collective.receive(mine, root);
    co_return;
  }
  for (int rank = 0; rank < collective.size(); ++rank)
    if (rank != root) collective.post_send(all.of(rank), rank);
  collective.copy(all.of(root), mine);
  co_await collective.all();
}

namespace {

constexpr Algorithm scatter_linear_algorithm{.operation = CollectiveOperation::scatter,
                                             .place = 10,
                                             .name = "linear",
                                             .function = scatter_linear,
                                             .means = means::messages,
                                             .cost = "T(m) + (n-2) S(m) + max(0, K(m) - R(m))"};
const Row<Algorithm> scatter_linear_row{scatter_linear_algorithm},
    scatterv_linear_row{scatter_linear_algorithm.of(CollectiveOperation::scatterv, 10)};

}  // namespace

}  // namespace hindcast::mpi
