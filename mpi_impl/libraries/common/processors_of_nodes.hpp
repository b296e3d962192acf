// Which ranks have a processor of their own, and which take turns: those of a node on which there are places for more
// ranks than it has processors.
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

  // On each of these nodes is a place for a rank, on some for several.
  ProcessorsOfNodes(Engine& engine, const std::vector<int>& nodes);

  // Before the rank runs.
  void add(Rank& rank, int node, const Kind& kind);

 private:
  Engine& engine_;
  std::map<int, int> places_;  // by node
  std::map<int, SharedProcessor> shared_;
};

}  // namespace hindcast
