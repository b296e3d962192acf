// Broadcast by the machine's own.
// Needs: the machine's broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

Task bcast_native(Collective& collective, Block data, int root) {
  if (collective.size() == 1) co_return;
  if (collective.rank() == root)
    co_await collective.broadcast(data);
  else
    co_await collective.receive(data, root);
}

namespace {

const Row<Algorithm> bcast_native_row{{.operation = CollectiveOperation::bcast,
                                       .place = 80,
                                       .name = "native",
                                       .function = bcast_native,
                                       .means = means::broadcast,
                                       .needs = need::broadcast,
                                       .cost = "B(m)"}};

}  // namespace

}  // namespace hindcast::mpi
