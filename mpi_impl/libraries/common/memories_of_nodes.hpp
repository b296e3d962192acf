// The memories of a machine's nodes, which their processors share, as networks see them: what carries messages between
// ranks of a node, and what the units of a site's network read and write.
#pragma once

#include <memory>
#include <vector>

#include "simulator/engine/kept_texts.hpp"
#include "simulator/hardware/node/network_through_memory.hpp"
#include "simulator/hardware/node/node_memories.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

class MemoriesOfNodes {
 public:
  // Whether networks pass the memories' ports stands in the machine's file: `memory_access` of each.
  MemoriesOfNodes(Engine& engine, Machine& machine);

  // From now on messages go between processors of a node; what one has stored is seen by another so much later.
  void carry_messages(const FixedStep& seen) {
    carry_messages_ = true;
    seen_ = seen;
  }
  bool carry_messages() const { return carry_messages_; }
  Network& between_processors() { return memories_; }
  // Null if the site is one node.
  Network* network_of_site(int site);

  // For ranks on this node, once: what its processors wait for at the memory; null if nobody else comes there.
  MemoryPort* add(int node);

 private:
  void read_network(int site);

  Engine& engine_;
  Machine& machine_;
  KeptTexts texts_;
  NodeMemories memories_;
  std::vector<std::unique_ptr<NetworkThroughMemory>> through_memory_;  // by site; null: units have a way of their own
  FixedStep seen_;
  bool carry_messages_ = false;
};

}  // namespace hindcast
