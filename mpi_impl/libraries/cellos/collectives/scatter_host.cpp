// Scatter by the machine's host, whose hardware gives all others their blocks at once. Its own block it copies.
// Needs: the machine's host as the root.
#include "mpi_impl/libraries/cellos/collectives/scatter_host.hpp"

#include "mpi_impl/libraries/cellos/collectives/host_blocks.hpp"

namespace hindcast::mpi {

Task scatter_host(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() == root) {
    BlocksAtHost blocks(collective, all);
    blocks.fill();
    co_await distribute(collective, HostDirection::scatter, blocks.all());
    collective.copy(all.of(root), mine);
  } else {
    Flat data(collective, mine, false);
    HostBlocks block = block_beside_host(data);
    co_await distribute(collective, HostDirection::scatter, block);
    note_cut_block(collective, block);
    data.put_back();
  }
}

namespace {

const Row<Algorithm> scatter_host_row{{.operation = CollectiveOperation::scatter,
                                       .place = 50,
                                       .name = "host",
                                       .function = scatter_host,
                                       .means = means::host,
                                       .needs = need::host,
                                       .cost = "H((n-1) m) + K(m)"}};
const Row<OwnTerm> scatter_host_term{{.name = "H", .text = "a scatter by its host, of m bytes in sum"}};

}  // namespace

}  // namespace hindcast::mpi
