#include "mpi_impl/libraries/common/processors_of_nodes.hpp"

namespace hindcast {

ProcessorsOfNodes::ProcessorsOfNodes(Engine& engine, const std::vector<int>& nodes) : engine_(engine) {
  for (const int node : nodes) ++places_[node];
}

void ProcessorsOfNodes::add(Rank& rank, int node, const Kind& kind) {
  if (places_[node] <= kind.processors) return;
  const auto found = shared_.try_emplace(node, engine_, kind.processors, kind.slice, kind.switching).first;
  found->second.add(rank);
}

}  // namespace hindcast
