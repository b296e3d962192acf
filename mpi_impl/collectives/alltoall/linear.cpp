// All-to-all in which every rank posts all its receives, then all its sends, beginning with its neighbours.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task alltoall_linear(Collective& collective, Blocks out, Blocks in) {
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(-distance);
    collective.post_receive(in.of(from), from);
  }
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int to = collective.neighbour(distance);
    collective.post_send(out.of(to), to);
  }
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  co_await collective.all();
}

constexpr Algorithm alltoall_linear_algorithm{.operation = CollectiveOperation::alltoall,
                                              .place = 30,
                                              .name = "linear",
                                              .function = alltoall_linear,
                                              .means = means::messages,
                                              .carries = Carries::single_block,
                                              .cost = "T(m) + (n-2) (S(m) + R(m)) + K(m)"};
const Row<Algorithm> alltoall_linear_row{alltoall_linear_algorithm},
    alltoallv_linear_row{alltoall_linear_algorithm.of(CollectiveOperation::alltoallv, 30)},
    alltoallw_linear_row{alltoall_linear_algorithm.of(CollectiveOperation::alltoallw, 30)};

}  // namespace

}  // namespace hindcast::mpi
