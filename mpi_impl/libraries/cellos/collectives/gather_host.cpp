// Gather by the machine's host, whose hardware takes the blocks of all others at once. Its own block it copies.
// Needs: the machine's host as the root.
#include "mpi_impl/libraries/cellos/collectives/gather_host.hpp"

#include "mpi_impl/libraries/cellos/collectives/host_blocks.hpp"

namespace hindcast::mpi {

Task gather_host(Collective& collective, Block mine, Blocks all, int root) {
  if (collective.rank() == root) {
    BlocksAtHost blocks(collective, all);
    co_await distribute(collective, HostDirection::gather, blocks.all());
    note_cut_block(collective, blocks.all());
    blocks.put_back();
    collective.copy(mine, all.of(root));
  } else {
    const Flat data(collective, mine, true);
    HostBlocks block = block_beside_host(data);
    co_await distribute(collective, HostDirection::gather, block);
  }
}

namespace {

const Row<Algorithm> gather_host_row{{.operation = CollectiveOperation::gather,
                                      .place = 40,
                                      .name = "host",
                                      .function = gather_host,
                                      .means = means::host,
                                      .needs = need::host,
                                      .cost = "G((n-1) m) + K(m)"}};
const Row<OwnTerm> gather_host_term{{.name = "G", .text = "a gather by its host, of m bytes in sum"}};

}  // namespace

}  // namespace hindcast::mpi
