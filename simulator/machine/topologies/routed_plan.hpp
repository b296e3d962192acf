// What the plans of networks with routes have in common. `Routes` is the network's geometry (hardware/network).
#pragma once

#include <fmt/format.h>

#include "simulator/hardware/network/wormhole_network.hpp"
#include "simulator/machine/topologies/topology.hpp"

namespace hindcast {

template <class Routes>
class RoutedPlan : public NetworkPlan {
 public:
  RoutedPlan(const Routes& routes, const NodePorts& ports, NetworkKeys keys)
      : routes_(routes), ports_(ports), keys_(std::move(keys)) {}

  int nodes() const final { return routes_.nodes(); }
  NodePorts ports() const final { return ports_; }
  const NetworkKeys& keys() const final { return keys_; }
  int link_count() const final { return routes_.link_count(); }

  void visit_route(int from, int to, const std::function<void(int)>& visit) const final {
    routes_.for_each_link(routes_.route(from, to), visit);
  }

  std::unique_ptr<Network> build_wormhole(Engine& engine, NetworkLinks& links, JoinedNodes nodes) const override {
    return std::make_unique<WormholeNetwork<Routes>>(engine, routes_, links, nodes, keys_);
  }

 protected:
  const Routes& routes() const { return routes_; }

  // Of SimGrid's networks whose hosts have no links of their own.
  static std::string remark_on_ports(const char* network) {
    return fmt::format(
        "     SimGrid's {} has no ports between a node and the network (its limiter would also be passed by traffic on "
        "its "
        "way\n     through); their figures are properties here, and the loopback stands for a node's two ports.",
        network);
  }

 private:
  const Routes routes_;
  const NodePorts ports_;
  const NetworkKeys keys_;
};

}  // namespace hindcast
