// How packets of windows get to other ranks. Where messages of the machine's library can run handlers at their target,
// they are such messages, and are worked on as that library works on what arrives. Elsewhere they are ordinary ones in
// a context of their own, which the target receives and works on in its calls of MPI that make progress.
#pragma once

#include <memory>

#include "mpi_impl/core/windows/packets/packet.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

class Process;

class PacketCarrier {
 public:
  virtual ~PacketCarrier() = default;

  // By a thread of the rank's at its clock; `data` can be used again at once.
  virtual void send(int to_world_rank, const Packet& packet, const void* data) = 0;
  // By the work on a packet, at a time that is not past.
  virtual void reply(int to_world_rank, const Packet& packet, const void* data, Time at) = 0;
  // There are no windows left.
  virtual void stop() {}
};

std::unique_ptr<PacketCarrier> make_packet_carrier(Process& process);

}  // namespace hindcast::mpi
