#include "mpi_impl/libraries/earth_simulator/native/global_barrier.hpp"

#include <algorithm>
#include <utility>

namespace hindcast::earth_simulator {

void GlobalBarrier::expect(int node) {
  std::unique_ptr<Node>& known = nodes_[node];
  if (known == nullptr) known = std::make_unique<Node>(*this, static_cast<int>(nodes_.size()) - 1);
  ++known->ranks;
}

void GlobalBarrier::arrive(int number, Completion& over) {
  Node& node = *nodes_.at(number);
  node.arrived.push_back(&over);
  if (static_cast<int>(node.arrived.size()) < node.ranks) return;
  if (tree_ == nullptr) {
    const int leaves = static_cast<int>(nodes_.size());
    Channel wire;
    wire.latency = latency_;
    tree_ = std::make_unique<BarrierTree>(engine_, wire, leaves, std::max(2, leaves));
  }
  tree_->arrive(node.leaf, node);
}

void GlobalBarrier::Node::released() {
  const Time seen = barrier.engine_.now() + (ranks > 1 ? barrier.inside_.cost : Time());
  for (Completion* over : std::exchange(arrived, {})) over->complete(seen);
}

}  // namespace hindcast::earth_simulator
