// What a machine has beside its network, by the tables of its file: who runs programs on it says which tables are what.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

struct PartsBesideNetwork {
  std::vector<std::string> broadcast_buses;  // tables with bandwidth and latency
  std::vector<std::string> barrier_trees;    // tables with latency and branching
  // A computer beside the nodes, by a line of its own on the first of the buses: a table with the keys of [processor],
  // line_bandwidth and line_latency. Empty if no machine of this sort has one.
  std::string front_end;
  bool with_front_end = false;  // in this run
};

}  // namespace hindcast
