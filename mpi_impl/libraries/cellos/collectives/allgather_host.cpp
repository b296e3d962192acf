// Allgather by a gather at the machine's host and its broadcast.
// Needs: the machine's host and its broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/libraries/cellos/collectives/gather_host.hpp"
#include "mpi_impl/libraries/cellos/collectives/host.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_host(Collective& collective, Block mine, Blocks all) {
  const int host = host_in(collective);
  co_await gather_host(collective, mine, all, host);
  Assembled blocks(collective, all);
  if (collective.rank() == host) blocks.fill();
  co_await bcast_native(collective, blocks.range(0, collective.size()), host);
  if (collective.rank() != host) blocks.put_back();
}

const Row<Algorithm> allgather_host_row{{.operation = CollectiveOperation::allgather,
                                         .place = 90,
                                         .name = "host",
                                         .function = allgather_host,
                                         .means = means::host,
                                         .needs = need::broadcast | need::host,
                                         .cost = "G((n-1) m) + K(m) + B(n m)"}};

}  // namespace

}  // namespace hindcast::mpi
