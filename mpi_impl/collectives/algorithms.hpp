// The algorithms of the collectives, each in a file of its own that says what it does, needs and costs. In the costs, n
// is the number of ranks, m the bytes of a block, and a message of m bytes takes T(m).
#pragma once

#include "mpi_impl/collectives/collective.hpp"

namespace hindcast::mpi {

void barrier_dissemination(Collective& collective);
void bcast_binomial(Collective& collective, const Block& data, int root);

// `mine.data` is MPI_IN_PLACE if the block is in its place among `all` already. `all` matters at the root only.
void gather_linear(Collective& collective, const Block& mine, const Blocks& all, int root);
void scatter_linear(Collective& collective, const Blocks& all, const Block& mine, int root);
void allgather_ring(Collective& collective, const Block& mine, const Blocks& all);
// `out.data` is MPI_IN_PLACE if what is in `in` is to be sent.
void alltoall_pairwise(Collective& collective, const Blocks& out, const Blocks& in);

// `mine` and `result` may be the same memory. `result` matters at the root only.
void reduce_binomial(Collective& collective, const Block& mine, const Block& result, const Op& op, int root);
void allreduce_recursive_doubling(Collective& collective, const Block& mine, const Block& result, const Op& op);

}  // namespace hindcast::mpi
