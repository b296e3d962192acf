// The global barrier counter and flags, for all ranks that a run begins with. The ranks of a node count in its
// memory; the last one has the node counted at the crossbar; when all nodes are, all nodes' flags are set at one time.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "simulator/engine/completion.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"

namespace hindcast::earth_simulator {

class GlobalBarrier {
 public:
  // `latency` is that of a node's count, and of a flag. `inside` is what a rank takes to count in its node's memory,
  // and to see there that all have come, where a node has several.
  GlobalBarrier(Engine& engine, Time latency, const FixedStep& inside)
      : engine_(engine), latency_(latency), inside_(inside) {}
  GlobalBarrier(const GlobalBarrier&) = delete;
  GlobalBarrier& operator=(const GlobalBarrier&) = delete;

  // Before the run: a rank on this node.
  void expect(int node);

  bool has_others(int node) const { return nodes_.at(node)->ranks > 1; }
  const FixedStep& inside() const { return inside_; }
  // In an event: a rank of the node has come, and has counted.
  void arrive(int node, Completion& over);

 private:
  struct Node final : BarrierSink {
    Node(GlobalBarrier& of, int number) : barrier(of), leaf(number) {}
    void released() override;
    GlobalBarrier& barrier;
    const int leaf;
    int ranks = 0;
    std::vector<Completion*> arrived;
  };

  Engine& engine_;
  const Time latency_;
  const FixedStep inside_;
  std::map<int, std::unique_ptr<Node>> nodes_;
  std::unique_ptr<BarrierTree> tree_;  // of one level; null before the first has come
};

}  // namespace hindcast::earth_simulator
