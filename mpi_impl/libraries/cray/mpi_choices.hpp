// What the machine's file chooses of the T3E's MPI: the new library or the old one, or any mixture of theirs.
#pragma once

#include "mpi_impl/libraries/cray/mpi/protocols.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast::t3e {

// For protocol messages; else they go through a queue in memory, with a lock.
bool has_hardware_queue(const MachineFile& file);
// Of the hardware's; else barriers are made of messages.
bool has_barrier(const MachineFile& file);

// How much data travels in a protocol message.
Bytes short_max_of(const MachineFile& file);

struct ChosenProtocols {
  const mpi::T3eProtocolRow& shortest;     // up to that
  const mpi::T3eProtocolRow& medium;       // up to mpi.medium_max
  const mpi::T3eProtocolRow& longer;       // than that
  const mpi::T3eProtocolRow& synchronous;  // of synchronous sends, from mpi.synchronous_min on
};
ChosenProtocols chosen_protocols(const MachineFile& file);

}  // namespace hindcast::t3e
