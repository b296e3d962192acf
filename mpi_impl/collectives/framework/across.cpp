// One plain algorithm each: what goes to or comes from a group as a whole passes through its rank 0, and is spread or
// collected within the group by the algorithms for one group.
#include "mpi_impl/collectives/framework/across.hpp"

#include <algorithm>

#include "mpi_impl/collectives/barrier/dissemination.hpp"
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/reduce/knomial.hpp"
#include "mpi_impl/collectives/scatter/linear.hpp"

namespace hindcast::mpi {

Task barrier_across(Collective& across) {
  Collective within(across);
  const Block nothing = bytes_at(nullptr, 0);
  co_await barrier_dissemination(within);
  if (across.rank() == 0) co_await across.exchange(nothing, 0, nothing, 0);
  co_await bcast_binomial(within, nothing, 0);
}

Task bcast_across(Collective& across, Block data, int root) {
  if (root == MPI_PROC_NULL) co_return;
  if (root == MPI_ROOT) {
    co_await across.send(data, 0);
    co_return;
  }
  Collective within(across);
  if (across.rank() == 0) co_await across.receive(data, root);
  co_await bcast_binomial(within, data, 0);
}

Task gather_across(Collective& across, Block mine, Blocks all, int root) {
  if (root >= 0) co_await across.send(mine, root);
  for (int rank = 0; root == MPI_ROOT && rank < across.peers(); ++rank) co_await across.receive(all.of(rank), rank);
}

Task scatter_across(Collective& across, Blocks all, Block mine, int root) {
  if (root >= 0) co_await across.receive(mine, root);
  for (int rank = 0; root == MPI_ROOT && rank < across.peers(); ++rank) co_await across.send(all.of(rank), rank);
}

Task allgather_across(Collective& across, Block mine, Blocks all) {
  co_await alltoall_across(across, Blocks::one(mine), all);
}

// In as many rounds as the larger group has ranks, each rank sends to one further on, and receives from one before.
Task alltoall_across(Collective& across, Blocks out, Blocks in) {
  const Block nothing = bytes_at(nullptr, 0);
  const int rounds = std::max(across.size(), across.peers());
  for (int round = 0; round < rounds; ++round) {
    const int to = (across.rank() + round) % rounds;
    const int from = (across.rank() - round + rounds) % rounds;
    const bool sends = to < across.peers(), receives = from < across.peers();
    // Not within the co_await: GCC 12 would evaluate all of its operands.
    const Block sent = sends ? out.of(to) : nothing, received = receives ? in.of(from) : nothing;
    co_await across.exchange(sent, sends ? to : MPI_PROC_NULL, received, receives ? from : MPI_PROC_NULL);
  }
}

Task reduce_across(Collective& across, Block mine, Block result, int root) {
  if (root == MPI_PROC_NULL) co_return;
  if (root == MPI_ROOT) {
    co_await across.receive(result, 0);
    co_return;
  }
  Collective within(across);
  const Scratch sum(across.pool(), mine);
  co_await reduce_knomial(within, mine, sum.block(), 0);
  if (across.rank() == 0) co_await across.send(sum.block(), root);
}

Task allreduce_across(Collective& across, Block mine, Block result) {
  Collective within(across);
  const Scratch sum(across.pool(), mine);
  co_await reduce_knomial(within, mine, sum.block(), 0);
  if (across.rank() == 0) co_await across.exchange(sum.block(), 0, result, 0);
  co_await bcast_binomial(within, result, 0);
}

Task reduce_scatter_across(Collective& across, Block mine, Blocks parts, Block result) {
  Collective within(across);
  const Scratch sum(across.pool(), mine), others(across.pool(), mine);
  co_await reduce_knomial(within, mine, sum.block(), 0);
  if (across.rank() == 0) co_await across.exchange(sum.block(), 0, others.block(), 0);
  parts.data = others.block().data;
  co_await scatter_linear(within, parts, result, 0);
}

}  // namespace hindcast::mpi
