// One plain algorithm each: what goes to or comes from a group as a whole passes through its rank 0, and is spread or
// collected within the group by the algorithms for one group.
#include "mpi_impl/collectives/across.hpp"

#include <algorithm>

#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

namespace {

void refuse_in_place(const void* data) {
  if (data == MPI_IN_PLACE)
    throw Error{MPI_ERR_BUFFER, "argument 1 (sendbuf) is MPI_IN_PLACE, which has no meaning with an intercommunicator"};
}

// In as many rounds as the larger group has ranks, each rank sends to one further on, and receives from one before.
template <typename Out>
void exchange_with_all(Process& process, Comm& comm, Out out, const Blocks& in) {
  Collective across(process, comm);
  const Block nothing{nullptr, 0, predefined_datatype(MPI_BYTE)};
  const int rounds = std::max(comm.size, comm.peer_count);
  for (int round = 0; round < rounds; ++round) {
    const int to = (comm.rank + round) % rounds;
    const int from = (comm.rank - round + rounds) % rounds;
    const bool sends = to < comm.peer_count, receives = from < comm.peer_count;
    across.exchange(sends ? out(to) : nothing, sends ? to : MPI_PROC_NULL, receives ? in.of(from) : nothing,
                    receives ? from : MPI_PROC_NULL);
  }
}

}  // namespace

void bcast_across(Process& process, Comm& comm, const Block& data, int root) {
  Collective across(process, comm);
  if (root == MPI_PROC_NULL) return;
  if (root == MPI_ROOT) return across.send(data, 0);
  if (comm.rank == 0) across.receive(data, root);
  Collective within(process, comm.within_group());
  bcast_binomial(within, data, 0);
}

void gather_across(Process& process, Comm& comm, const Block& mine, const Blocks& all, int root) {
  Collective across(process, comm);
  if (root >= 0) return across.send(mine, root);
  for (int rank = 0; root == MPI_ROOT && rank < comm.peer_count; ++rank) across.receive(all.of(rank), rank);
}

void scatter_across(Process& process, Comm& comm, const Blocks& all, const Block& mine, int root) {
  Collective across(process, comm);
  if (root >= 0) return across.receive(mine, root);
  for (int rank = 0; root == MPI_ROOT && rank < comm.peer_count; ++rank) across.send(all.of(rank), rank);
}

void allgather_across(Process& process, Comm& comm, const Block& mine, const Blocks& all) {
  refuse_in_place(mine.data);
  exchange_with_all(
      process, comm, [&](int) { return mine; }, all);
}

void alltoall_across(Process& process, Comm& comm, const Blocks& out, const Blocks& in) {
  refuse_in_place(out.data);
  exchange_with_all(
      process, comm, [&](int rank) { return out.of(rank); }, in);
}

void reduce_across(Process& process, Comm& comm, const Block& mine, const Block& result, const Op* op, int root) {
  Collective across(process, comm);
  if (root == MPI_PROC_NULL) return;
  if (root == MPI_ROOT) return across.receive(result, 0);
  Scratch sum(mine);
  Collective within(process, comm.within_group());
  reduce_binomial(within, mine, sum.block(), *op, 0);
  if (comm.rank == 0) across.send(sum.block(), root);
}

void allreduce_across(Process& process, Comm& comm, const Block& mine, const Block& result, const Op& op) {
  refuse_in_place(mine.data);
  Collective across(process, comm);
  Scratch sum(mine);
  Collective reducing(process, comm.within_group());
  reduce_binomial(reducing, mine, sum.block(), op, 0);
  if (comm.rank == 0) across.exchange(sum.block(), 0, result, 0);
  Collective spreading(process, comm.within_group());
  bcast_binomial(spreading, result, 0);
}

}  // namespace hindcast::mpi
