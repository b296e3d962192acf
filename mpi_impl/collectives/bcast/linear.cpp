// Broadcast by the root alone: it sends to every other rank.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_linear(Collective& collective, Block data, int root) {
  if (collective.rank() != root) {
    co_await collective.receive(data, root);
    co_return;
  }
  for (int distance = 1; distance < collective.size(); ++distance)
    collective.post_send(data, collective.neighbour(distance));
  co_await collective.all();
}

const Row<Algorithm> bcast_linear_row{{.operation = CollectiveOperation::bcast,
                                       .place = 30,
                                       .name = "linear",
                                       .function = bcast_linear,
                                       .means = means::messages,
                                       .cost = "T(m) + (n-2) S(m)"}};

}  // namespace

}  // namespace hindcast::mpi
