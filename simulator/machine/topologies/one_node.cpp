// All in one node: its processors share its memory, and there is no network.
#include <fmt/format.h>

#include "simulator/machine/topologies/topology.hpp"

namespace hindcast {

namespace {

class OneNodePlan final : public NetworkPlan {
 public:
  int nodes() const override { return 1; }
  bool is_one_node() const override { return true; }
  NodePorts ports() const override { return {}; }
  const NetworkKeys& keys() const override { return keys_; }
  int link_count() const override { return 0; }
  PlatformLink link(int, const std::string&) const override { return {}; }
  void visit_route(int, int, const std::function<void(int)>&) const override {}
  std::unique_ptr<Network> build_wormhole(Engine&, NetworkLinks&, JoinedNodes) const override { return nullptr; }

  std::string xml(const XmlSite& site) const override {
    return fmt::format(
        R"(  <zone id="{name}" routing="Full">
    <host id="{name}-0" speed="{speed}f"/>
{properties}  </zone>
)",
        fmt::arg("name", site.name), fmt::arg("speed", site.speed), fmt::arg("properties", site.properties));
  }

 private:
  const NetworkKeys keys_;
};

std::unique_ptr<NetworkPlan> plan_one_node(const KeysOfChoice& keys, const std::string&, WantedNodes) {
  return keys.is_taken() ? std::make_unique<OneNodePlan>() : nullptr;
}

NodeRange one_node(const MachineFile&, const std::string&, NodeRange) { return {1, 1}; }

const Row<Topology> one_node_row{{"node", plan_one_node, one_node}};

}  // namespace

}  // namespace hindcast
