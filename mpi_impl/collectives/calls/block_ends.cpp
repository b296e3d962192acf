#include "mpi_impl/collectives/calls/block_ends.hpp"

#include <ranges>
#include <utility>

namespace hindcast::mpi {

namespace {

// Collects the ends of one call.
class Ends {
 public:
  void send(const Block& block, int peer) { add(true, block, peer); }
  void receive(const Block& block, int peer) { add(false, block, peer); }
  BlockEnds all() { return std::move(ends_); }

 private:
  void add(bool is_sent, const Block& block, int peer) {
    if (peer != MPI_PROC_NULL)
      ends_.push_back({is_sent, peer, block.bytes(), block.bytes() > 0 ? map_of(*block.type)->signature() : nullptr});
  }

  BlockEnds ends_;
};

// Those whose blocks are compared: each, or only the rank itself.
auto peers_compared(const Comm& comm, bool is_each) {
  return is_each ? std::views::iota(0, comm.peer_count) : std::views::iota(comm.rank, comm.rank + 1);
}

// Of an operation with a root, what is said at either end of the way to it or from it.
struct RootedCall {
  const Comm& comm;
  int root;
  bool has_amounts_of_ranks;

  bool is_root() const { return comm.is_inter() ? root == MPI_ROOT : root == comm.rank; }
  // Beside an intercommunicator's root there is nothing to say.
  bool goes_to_root() const { return root >= 0 && (is_each() || is_root()); }
  auto peers() const { return peers_compared(comm, is_each()); }

 private:
  bool is_each() const { return comm.is_inter() || has_amounts_of_ranks; }
};

// Each rank of one group with rank 0 of the other: then all have been compared.
BlockEnds ends_through_first(const Block& mine, const Comm& comm) {
  Ends ends;
  if (!comm.is_inter()) return ends.all();
  ends.send(mine, 0);
  for (int peer = 0; comm.rank == 0 && peer < comm.peer_count; ++peer) ends.receive(mine, peer);
  return ends.all();
}

}  // namespace

BlockEnds block_ends(const BarrierCall&, const Comm&) { return {}; }

BlockEnds block_ends(const BcastCall& call, const Comm& comm) {
  Ends ends;
  if (!comm.is_inter()) return ends.all();
  if (call.root >= 0) ends.receive(call.data, call.root);
  for (int peer = 0; call.root == MPI_ROOT && peer < comm.peer_count; ++peer) ends.send(call.data, peer);
  return ends.all();
}

BlockEnds block_ends(const GatherCall& call, const Comm& comm) {
  const RootedCall rooted{comm, call.root, call.operation == CollectiveOperation::gatherv};
  Ends ends;
  if (rooted.goes_to_root()) ends.send(call.mine, call.root);
  if (rooted.is_root())
    for (const int peer : rooted.peers()) ends.receive(call.all.of(peer), peer);
  return ends.all();
}

BlockEnds block_ends(const ScatterCall& call, const Comm& comm) {
  const RootedCall rooted{comm, call.root, call.operation == CollectiveOperation::scatterv};
  Ends ends;
  if (rooted.goes_to_root()) ends.receive(call.mine, call.root);
  if (rooted.is_root())
    for (const int peer : rooted.peers()) ends.send(call.all.of(peer), peer);
  return ends.all();
}

BlockEnds block_ends(const AllgatherCall& call, const Comm& comm) {
  Ends ends;
  for (const int peer : peers_compared(comm, comm.is_inter() || call.operation == CollectiveOperation::allgatherv)) {
    ends.send(call.mine, peer);
    ends.receive(call.all.of(peer), peer);
  }
  return ends.all();
}

BlockEnds block_ends(const AlltoallCall& call, const Comm& comm) {
  Ends ends;
  for (const int peer : peers_compared(comm, comm.is_inter() || call.operation != CollectiveOperation::alltoall)) {
    ends.send(call.in_place ? call.in.of(peer) : call.out.of(peer), peer);
    ends.receive(call.in.of(peer), peer);
  }
  return ends.all();
}

BlockEnds block_ends(const ReduceCall& call, const Comm& comm) {
  Ends ends;
  if (!comm.is_inter()) return ends.all();
  if (call.root >= 0) ends.send(call.mine, call.root);
  for (int peer = 0; call.root == MPI_ROOT && peer < comm.peer_count; ++peer) ends.receive(call.result, peer);
  return ends.all();
}

BlockEnds block_ends(const AllreduceCall& call, const Comm& comm) { return ends_through_first(call.mine, comm); }

// The groups may deal out the same elements in different parts.
BlockEnds block_ends(const ReduceScatterCall& call, const Comm& comm) {
  Block all = call.mine.of(0);
  all.count = 0;
  for (int rank = 0; rank < comm.size; ++rank) all.count += call.mine.count_of(rank);
  return ends_through_first(all, comm);
}

// On a grid a neighbour may be both the one before and the one after. What it sends first then, backwards, comes in as
// what the one after has sent. So ends of receives are in the order in which their messages are sent.
BlockEnds block_ends(const NeighbourCall& call, const Comm&) {
  const auto& [sources, destinations, are_of_grid] = call.neighbours;
  Ends ends;
  for (int i = 0; i < static_cast<int>(sources.size()); ++i) {
    const int block = are_of_grid ? i ^ 1 : i;
    ends.receive(call.in.of(block), sources[static_cast<std::size_t>(block)]);
  }
  for (int block = 0; block < static_cast<int>(destinations.size()); ++block)
    ends.send(call.out.of(block), destinations[static_cast<std::size_t>(block)]);
  return ends.all();
}

}  // namespace hindcast::mpi
