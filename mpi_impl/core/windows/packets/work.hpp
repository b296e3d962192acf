// What a rank does about the packets that others send it, and about its own that concern itself.
#pragma once

#include "mpi_impl/core/windows/packets/packet.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

class Process;
struct HandlerWork;

// When it is done, and by which thread if by one: then the processor's work takes its time.
struct Worker {
  Time at;
  Thread* thread;

  Time now() const { return thread != nullptr ? thread->clock() : at; }
};

// What the work takes of a thread, if one does it later.
HandlerWork cost_of_work_on(const Packet& packet);

// Must not give way if there is no thread.
void work_on(Process& process, const Packet& packet, const std::byte* data, const Worker& worker);

}  // namespace hindcast::mpi
