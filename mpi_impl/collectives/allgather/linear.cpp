// Allgather in which every rank sends its block to every other one at once.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_linear(Collective& collective, Block mine, Blocks all) {
  const Block own = all.of(collective.rank());
  collective.copy(mine, own);
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(-distance);
    collective.post_receive(all.of(from), from);
  }
  for (int distance = 1; distance < collective.size(); ++distance)
    collective.post_send(own, collective.neighbour(distance));
  co_await collective.all();
}

constexpr Algorithm allgather_linear_algorithm{.operation = CollectiveOperation::allgather,
                                               .place = 50,
                                               .name = "linear",
                                               .function = allgather_linear,
                                               .means = means::messages,
                                               .cost = "T(m) + (n-2) (S(m) + R(m)) + K(m)"};
const Row<Algorithm> allgather_linear_row{allgather_linear_algorithm},
    allgatherv_linear_row{allgather_linear_algorithm.of(CollectiveOperation::allgatherv, 50)};

}  // namespace

}  // namespace hindcast::mpi
