// A network whose messages share its links' bandwidth. All but that is as in the wormhole network of the same links, so
// that one message at a time takes the same in both: a node's port takes one message at a time, and the next when the
// last byte of that has left the sender's memory.
#pragma once

#include <vector>

#include "simulator/hardware/network/flow_network.hpp"

namespace hindcast {

class FluidNetwork final : public FlowNetwork {
 public:
  using LatencyOfPath = std::function<Time(int from, int to)>;  // of the ports and links on the way

  FluidNetwork(Engine& engine, Flows& flows, NameOfNode name_of_node, LatencyOfPath latency, JoinedNodes nodes,
               const NetworkKeys& keys)
      : FlowNetwork(engine, flows, std::move(name_of_node), nodes),
        latency_(std::move(latency)),
        first_node_(nodes.first),
        lines_(static_cast<std::size_t>(nodes.count)),
        steps_{{"wait for the port into the network", ""},
               {"bytes in a flow", keys.link_bandwidth.empty() ? keys.injection_bandwidth : keys.link_bandwidth},
               {"latency of the path", keys.hop_latency.empty() ? keys.way_out : keys.hop_latency}} {}

  Time latency(int from, int to) override { return latency_(from, to); }

 private:
  Line& line_of(const Transfer& transfer) override {
    return lines_[static_cast<std::size_t>(transfer.from - first_node_)];
  }
  Rate quickest(const Transfer&) override { return Rate(); }
  const Steps& steps_of(const Transfer&) override { return steps_; }

  const LatencyOfPath latency_;
  const int first_node_;
  std::vector<Line> lines_;  // by node
  const Steps steps_;
};

}  // namespace hindcast
