#include "mpi_impl/libraries/common/processors_of_nodes.hpp"

#include "simulator/engine/rank.hpp"

namespace hindcast {

namespace {

void add_threads(SharedProcessor& processors, Rank& rank) {
  for (const auto& thread : rank.threads) processors.add(*thread);
}

}  // namespace

void ProcessorsOfNodes::add(Rank& rank, int node, const Kind& kind) {
  std::vector<Rank*>& ranks = ranks_[node];
  ranks.push_back(&rank);
  if (ranks.size() <= static_cast<std::size_t>(kind.processors)) return;
  const auto [found, is_new] = shared_.try_emplace(node, engine_, kind.processors, kind.slice, kind.switching);
  if (!is_new) return add_threads(found->second, rank);
  for (Rank* every : ranks) add_threads(found->second, *every);
}

}  // namespace hindcast
