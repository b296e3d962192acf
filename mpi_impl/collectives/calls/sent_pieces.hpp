// What a collective sends from the calling rank's own buffers: what the program may not change while it is in progress.
// Data that are sent from where something comes in, as with MPI_IN_PLACE, are left out.
#pragma once

#include <vector>

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/core/requests/sent_buffers.hpp"

namespace hindcast::mpi {

using SentPieces = std::vector<SentPiece>;

SentPieces sent_pieces(const BarrierCall& call, const Comm& comm);
SentPieces sent_pieces(const BcastCall& call, const Comm& comm);
SentPieces sent_pieces(const GatherCall& call, const Comm& comm);
SentPieces sent_pieces(const ScatterCall& call, const Comm& comm);
SentPieces sent_pieces(const AllgatherCall& call, const Comm& comm);
SentPieces sent_pieces(const AlltoallCall& call, const Comm& comm);
SentPieces sent_pieces(const ReduceCall& call, const Comm& comm);
SentPieces sent_pieces(const AllreduceCall& call, const Comm& comm);
SentPieces sent_pieces(const ReduceScatterCall& call, const Comm& comm);
SentPieces sent_pieces(const NeighbourCall& call, const Comm& comm);

}  // namespace hindcast::mpi
