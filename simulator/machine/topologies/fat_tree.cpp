// A fat tree: nodes below switches below switches, with as many links up as the machine's builders could pay for.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "simulator/hardware/network/fat_tree_routes.hpp"
#include "simulator/machine/topologies/routed_plan.hpp"

namespace hindcast {

namespace {

class FatTreePlan final : public RoutedPlan<FatTreeRoutes> {
 public:
  FatTreePlan(const FatTreeRoutes& routes, const NodePorts& ports, Time hop_latency, Bandwidth bandwidth,
              NetworkKeys keys)
      : RoutedPlan(routes, ports, std::move(keys)), hop_latency_(hop_latency), bandwidth_(bandwidth) {}

  bool links_are_alike() const override { return true; }

  PlatformLink link(int index, const std::string& site) const override {
    const FatTreeRoutes::Link link = routes().link(index);
    return {
        fmt::format("{}_link_from_{}_to_{}_{}", site, shown(link.child), shown(link.parent), link.down ? "DOWN" : "UP"),
        hop_latency_, bandwidth_};
  }

  std::string xml(const XmlSite& site) const override {
    return fmt::format(
        R"(  <cluster id="{name}" prefix="{name}-" suffix="" radical="0-{last}" speed="{speed}f" bw="{bandwidth}Bps" lat="{latency}ps"
           sharing_policy="SPLITDUPLEX" topology="FAT_TREE" topo_parameters="{parameters}"
           loopback_bw="{port_bandwidth}Bps" loopback_lat="{port_latency}ps">
    <prop id="injection_bandwidth" value="{port_bandwidth}Bps"/>
    <prop id="injection_latency" value="{port_latency}ps"/>
{properties}  </cluster>
)",
        fmt::arg("name", site.name), fmt::arg("last", nodes() - 1), fmt::arg("speed", site.speed),
        fmt::arg("bandwidth", xml_rate(bandwidth_)), fmt::arg("latency", hop_latency_.in_ps()),
        fmt::arg("parameters", parameters()), fmt::arg("port_bandwidth", xml_rate(ports().bandwidth)),
        fmt::arg("port_latency", ports().way_in.in_ps()), fmt::arg("properties", site.properties));
  }

  std::string remark_in_xml() const override { return remark_on_ports("fat tree"); }

 private:
  static std::string shown(const FatTreeRoutes::Place& place) {
    return place.level == 0 ? fmt::format("{}", place.number) : fmt::format("switch_{}_{}", place.level, place.number);
  }

  // "2;4,4;1,2;1,1": levels, children, parents, and one link between any two.
  std::string parameters() const {
    std::vector<int> down, up;
    for (int level = 1; level <= routes().levels(); ++level) {
      down.push_back(routes().down_links(level));
      up.push_back(routes().up_links(level));
    }
    const std::vector<int> ones(down.size(), 1);
    return fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","), fmt::join(ones, ","));
  }

  const Time hop_latency_;
  const Bandwidth bandwidth_;
};

std::unique_ptr<NetworkPlan> plan_fat_tree(const KeysOfChoice& keys, const std::string& prefix, WantedNodes) {
  const std::string down_links = prefix + ".down_links";
  NetworkKeys names{prefix + ".injection_latency", prefix + ".injection_bandwidth", prefix + ".hop_latency",
                    prefix + ".link_bandwidth", ""};
  const std::vector<std::int64_t> down = keys.list(down_links);
  const std::vector<std::int64_t> up = keys.list(prefix + ".up_links");
  const Time hop_latency = keys.time(names.hop_latency);
  const Bandwidth bandwidth = keys.bandwidth(names.link_bandwidth);
  const NodePorts ports{keys.time(names.injection_latency), Time(), keys.bandwidth(names.injection_bandwidth)};
  if (!keys.is_taken()) return nullptr;
  try {
    return std::make_unique<FatTreePlan>(FatTreeRoutes(down, up), ports, hop_latency, bandwidth, std::move(names));
  } catch (const std::invalid_argument& error) {
    keys.file().refuse(down_links, error.what());
  }
}

NodeRange node_range_of_fat_tree(const MachineFile& file, const std::string& prefix, NodeRange of_machine) {
  const auto down_links = file.extents(prefix + ".down_links", {});
  std::int64_t nodes = 1;
  for (const std::int64_t down : *down_links) nodes = std::min<std::int64_t>(nodes * down, of_machine.most);
  return {static_cast<int>(nodes), static_cast<int>(std::min<std::int64_t>(nodes, of_machine.usual))};
}

const Row<Topology> fat_tree_row{{"fat tree", plan_fat_tree, node_range_of_fat_tree}};

}  // namespace

}  // namespace hindcast
