// All-to-all in n - 1 rounds: in round k each rank sends to the one k further on and receives from the one k before. In
// place, the ranks meet in pairs, and each pair swaps its blocks.
// Needs: nothing. Costs: (n - 1) T(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

namespace {

void swap_in_place(Collective& collective, const Blocks& blocks) {
  for (int round = 0; round < collective.size(); ++round) {
    const int partner = collective.neighbour(round - 2 * collective.rank());
    if (partner == collective.rank()) continue;
    const Block block = blocks.of(partner);
    Scratch out(block);
    collective.copy(block, out.block());
    collective.exchange(out.block(), partner, block, partner);
  }
}

}  // namespace

void alltoall_pairwise(Collective& collective, const Blocks& out, const Blocks& in) {
  if (out.data == MPI_IN_PLACE) return swap_in_place(collective, in);
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  for (int round = 1; round < collective.size(); ++round) {
    const int to = collective.neighbour(round);
    const int from = collective.neighbour(-round);
    collective.exchange(out.of(to), to, in.of(from), from);
  }
}

}  // namespace hindcast::mpi
