// Agents of remote memory that take the processor of the node: by an interrupt, or where its library polls.
#pragma once

#include <vector>

#include "simulator/engine/rank.hpp"
#include "simulator/hardware/node/remote_memory.hpp"

namespace hindcast {

// What the processor does for an operation of each kind.
struct RemoteMemoryService {
  FixedStep put;
  FixedStep get;
  FixedStep atomic;

  const FixedStep& of(RemoteMemory::Kind kind) const {
    return kind == RemoteMemory::Kind::put ? put : kind == RemoteMemory::Kind::get ? get : atomic;
  }
};

// Whatever the processor does, it is interrupted. A rank's library has told that it can be.
class InterruptedAgent final : public RemoteMemoryAgent {
 public:
  // The service outlives it.
  InterruptedAgent(Rank& rank, const RemoteMemoryService& service) : rank_(rank), service_(service) {}
  void serve(RemoteMemory& memory, RemoteMemory::Operation& operation) override;

 private:
  Rank& rank_;
  const RemoteMemoryService& service_;
};

// The library comes to it as to any arrival: at once where it waits, else in its next call that makes progress.
class PollingAgent final : public RemoteMemoryAgent {
 public:
  PollingAgent(Rank& rank, RemoteMemory& memory, const RemoteMemoryService& service)
      : rank_(rank), memory_(memory), service_(service) {}
  void serve(RemoteMemory& memory, RemoteMemory::Operation& operation) override;
  // By a thread of the rank, which has left a poll instant at its clock: what has come since is worked on.
  void work_on_what_waits(Thread& thread);

 private:
  Rank& rank_;
  RemoteMemory& memory_;
  const RemoteMemoryService& service_;
  std::vector<RemoteMemory::Operation*> waiting_;
};

}  // namespace hindcast
