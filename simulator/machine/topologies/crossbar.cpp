// A crossbar: every node's port leads to one switch, which lets any number of messages pass if their ports differ. What
// the switch takes is the way out of the network.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/hardware/network/crossbar_routes.hpp"
#include "simulator/machine/topologies/routed_plan.hpp"

namespace hindcast {

namespace {

class CrossbarPlan final : public RoutedPlan<CrossbarRoutes> {
 public:
  using RoutedPlan::RoutedPlan;

  PlatformLink link(int, const std::string&) const override { return {}; }

  // SimGrid's cluster has a link each way for every node, and a backbone that nobody shares.
  std::string xml(const XmlSite& site) const override {
    return fmt::format(
        R"(  <cluster id="{name}" prefix="{name}-" suffix="" radical="0-{last}" speed="{speed}f" bw="{bandwidth}Bps" lat="0ps"
           sharing_policy="SPLITDUPLEX" bb_bw="{bandwidth}Bps" bb_lat="{latency}ps" bb_sharing_policy="FATPIPE"
           loopback_bw="{bandwidth}Bps" loopback_lat="{latency}ps">
{properties}  </cluster>
)",
        fmt::arg("name", site.name), fmt::arg("last", site.nodes - 1), fmt::arg("speed", site.speed),
        fmt::arg("bandwidth", xml_rate(ports().bandwidth)),
        fmt::arg("latency", (ports().way_in + ports().way_out).in_ps()), fmt::arg("properties", site.properties));
  }

  std::string remark_in_xml() const override {
    return "     The latencies of a crossbar's ports and its switch are those of a backbone that nobody shares.";
  }
};

std::unique_ptr<NetworkPlan> plan_crossbar(const KeysOfChoice& keys, const std::string& prefix, WantedNodes) {
  NetworkKeys names{prefix + ".injection_latency", prefix + ".injection_bandwidth", "", "", prefix + ".switch_latency"};
  const std::int64_t count = keys.count(prefix + ".ports", 1);
  const NodePorts ports{keys.time(names.injection_latency), keys.time(names.way_out),
                        keys.bandwidth(names.injection_bandwidth)};
  if (!keys.is_taken()) return nullptr;
  const auto built = static_cast<int>(std::min<std::int64_t>(count, CrossbarRoutes::nodes_max));
  return std::make_unique<CrossbarPlan>(CrossbarRoutes(built), ports, std::move(names));
}

NodeRange node_range_of_crossbar(const MachineFile& file, const std::string& prefix, NodeRange of_machine) {
  const std::int64_t ports = file.count(prefix + ".ports", 1);
  return {static_cast<int>(std::min<std::int64_t>(ports, of_machine.most)),
          static_cast<int>(std::min<std::int64_t>(ports, of_machine.usual))};
}

const Row<Topology> crossbar_row{{"crossbar", plan_crossbar, node_range_of_crossbar}};

}  // namespace

}  // namespace hindcast
