#include "mpi_impl/collectives/calls/sent_pieces.hpp"

namespace hindcast::mpi {

namespace {

SentPiece piece(const Block& block) { return {block.data, block.count, block.type}; }

SentPieces pieces(const Blocks& blocks, int count) {
  SentPieces sent;
  for (int i = 0; i < (blocks.are_one && count > 1 ? 1 : count); ++i) sent.push_back(piece(blocks.of(i)));
  return sent;
}

SentPieces unless_in_place(const Block& mine, const void* result) {
  return mine.data == result ? SentPieces() : SentPieces{piece(mine)};
}

// Whether the calling rank is the one whose data go to all others.
bool is_root(int root, const Comm& comm) { return comm.is_inter() ? root == MPI_ROOT : root == comm.rank; }

// Beside and at an intercommunicator's root nothing is sent to the root.
bool sends_to(int root, const Comm& comm) { return !comm.is_inter() || root >= 0; }

}  // namespace

SentPieces sent_pieces(const BarrierCall&, const Comm&) { return {}; }

SentPieces sent_pieces(const BcastCall& call, const Comm& comm) {
  return is_root(call.root, comm) ? SentPieces{piece(call.data)} : SentPieces();
}

SentPieces sent_pieces(const GatherCall& call, const Comm& comm) {
  if (!sends_to(call.root, comm)) return {};
  return is_root(call.root, comm) ? unless_in_place(call.mine, call.all.of(comm.rank).data)
                                  : SentPieces{piece(call.mine)};
}

SentPieces sent_pieces(const ScatterCall& call, const Comm& comm) {
  return is_root(call.root, comm) ? pieces(call.all, comm.peer_count) : SentPieces();
}

SentPieces sent_pieces(const AllgatherCall& call, const Comm& comm) {
  return comm.is_inter() ? SentPieces{piece(call.mine)} : unless_in_place(call.mine, call.all.of(comm.rank).data);
}

SentPieces sent_pieces(const AlltoallCall& call, const Comm& comm) {
  return call.in_place ? SentPieces() : pieces(call.out, comm.peer_count);
}

SentPieces sent_pieces(const ReduceCall& call, const Comm& comm) {
  if (!sends_to(call.root, comm)) return {};
  return is_root(call.root, comm) ? unless_in_place(call.mine, call.result.data) : SentPieces{piece(call.mine)};
}

SentPieces sent_pieces(const AllreduceCall& call, const Comm&) { return unless_in_place(call.mine, call.result.data); }

SentPieces sent_pieces(const ReduceScatterCall& call, const Comm& comm) {
  return call.mine.data == call.result.data ? SentPieces() : pieces(call.mine, comm.size);
}

SentPieces sent_pieces(const NeighbourCall& call, const Comm&) {
  return pieces(call.out, static_cast<int>(call.neighbours.destinations.size()));
}

}  // namespace hindcast::mpi
