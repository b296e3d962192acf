#include "mpi_impl/libraries/common/memories_of_nodes.hpp"

#include "mpi_impl/libraries/common/endpoint_costs.hpp"

namespace hindcast {

MemoriesOfNodes::MemoriesOfNodes(Engine& engine, Machine& machine)
    : engine_(engine), machine_(machine), memories_(engine) {
  for (int site = 0; site < machine.site_count(); ++site) read_network(site);
}

// Whether the units of a site's network pass the ports to the nodes' memories.
void MemoriesOfNodes::read_network(int site) {
  const MachineFile& file = machine_.parameters();
  const std::string prefix = machine_.network_prefix(site);
  const char* key = texts_.keep(prefix + ".memory_access");
  Network* const network = machine_.network_of_site(site);
  std::unique_ptr<NetworkThroughMemory>& through = through_memory_.emplace_back();
  if (!file.has(key) || file.choice(key, {"apart", "port"}) == "apart" || network == nullptr) return;
  if (file.choice(prefix + ".model", {"wormhole", "fluid"}) != "wormhole")
    file.refuse(key, "'port' needs the model 'wormhole', which foresees when a message has left its sender");
  through = std::make_unique<NetworkThroughMemory>(engine_, *network, file.bandwidth(prefix + ".injection_bandwidth"),
                                                   StepKind{"wait for the node's memory", key});
}

Network* MemoriesOfNodes::network_of_site(int site) {
  const auto& through = through_memory_[static_cast<std::size_t>(site)];
  return through != nullptr ? through.get() : machine_.network_of_site(site);
}

// Nodes of one processor, or whose memory carries no messages, have no port that anybody waits for.
MemoryPort* MemoriesOfNodes::add(int node) {
  const NodeKind& kind = machine_.kind_of(node);
  NetworkThroughMemory* const network = through_memory_[static_cast<std::size_t>(machine_.site_of(node))].get();
  const bool is_shared = kind.processors > 1;
  if (!carry_messages_ && (network == nullptr || !is_shared)) return nullptr;
  const Bandwidth port = is_shared ? kind.memory_port_bandwidth : kind.processor.copy_bandwidth;
  memories_.add(node, {port,
                       kind.memory_sharing,
                       kind.processor.copy_bandwidth,
                       seen_,
                       {"bytes through the memory", key_that_bounds_copies(kind, texts_)},
                       is_shared ? kind.memory_waits_from : Bytes()});
  if (!is_shared) return nullptr;
  if (network != nullptr) network->add(node, memories_.port(node));
  return &memories_.port(node);
}

}  // namespace hindcast
