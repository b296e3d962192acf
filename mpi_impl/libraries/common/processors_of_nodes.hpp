// Which ranks have a processor of their own, and which take turns: those of a node on which there are more ranks than
// processors.
#pragma once

#include <map>
#include <vector>

#include "simulator/engine/thread/shared_processor.hpp"

namespace hindcast {

class ProcessorsOfNodes {
 public:
  struct Kind {
    int processors;
    Time slice;
    FixedStep switching;
  };

  explicit ProcessorsOfNodes(Engine& engine) : engine_(engine) {}

  // Before the rank runs.
  void add(Rank& rank, int node, const Kind& kind);

 private:
  Engine& engine_;
  std::map<int, std::vector<Rank*>> ranks_;  // by node
  std::map<int, SharedProcessor> shared_;
};

}  // namespace hindcast
