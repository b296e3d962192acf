// The memory of each PE, which has one bandwidth for its processor, its E-registers and what comes over the network:
// the processor's copies are read and written there, what is put or got is read at one end and written at the other,
// and packets are written into queues.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simulator/hardware/node/network_through_memory.hpp"

namespace hindcast::shmem {

struct MemoryCosts {
  Bandwidth bandwidth;  // of what is read and written together
  MemoryPort::Sharing sharing = MemoryPort::Sharing::fair;
  Bytes waits_from;  // what moves less than that waits for nobody
  Bandwidth unit;    // what the network's unit reads or writes at most
};

class PeMemories {
 public:
  // Without costs all have ways of their own to the memory.
  PeMemories(Engine& engine, Network& network, const std::optional<MemoryCosts>& costs);

  // The network, as far as memories let it.
  Network& network();
  // Null: nobody waits for anybody there.
  MemoryPort* port(int node);

 private:
  Network& network_;
  const std::optional<MemoryCosts> costs_;
  std::unique_ptr<NetworkThroughMemory> through_;
  std::vector<std::unique_ptr<MemoryPort>> ports_;  // by node
};

}  // namespace hindcast::shmem
