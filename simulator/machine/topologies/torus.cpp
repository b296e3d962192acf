// A torus of one to four dimensions, or a mesh, which is one whose rings are open.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "simulator/hardware/network/adaptive_torus_routes.hpp"
#include "simulator/machine/topologies/routed_plan.hpp"

namespace hindcast {

namespace {

const std::vector<std::string> shapes{"square", "powers of two", "cube"};

// What its links are like, each of the two directions.
struct LinkFigures {
  Time hop_latency;
  Bandwidth bandwidth;
};

class TorusPlan final : public RoutedPlan<TorusRoutes> {
 public:
  // `packet` is what chooses its way for itself; without it routes are fixed.
  TorusPlan(const TorusRoutes& routes, const NodePorts& ports, const LinkFigures& links, std::optional<Bytes> packet,
            NetworkKeys keys)
      : RoutedPlan(routes, ports, std::move(keys)), links_(links), packet_(packet) {}

  std::unique_ptr<Network> build_wormhole(Engine& engine, NetworkLinks& links, JoinedNodes nodes) const override {
    if (!packet_) return RoutedPlan::build_wormhole(engine, links, nodes);
    return std::make_unique<WormholeNetwork<AdaptiveTorusRoutes>>(engine, AdaptiveTorusRoutes(routes(), *packet_),
                                                                  links, nodes, keys());
  }

  bool links_are_alike() const override { return true; }

  // The names that SimGrid's own torus gives them.
  PlatformLink link(int index, const std::string& site) const override {
    const TorusRoutes::Link link = routes().link(index);
    return {fmt::format("{}_link_from_{}_to_{}_{}", site, link.owner,
                        routes().upper_neighbour(link.owner, link.dimension), link.down ? "DOWN" : "UP"),
            links_.hop_latency, links_.bandwidth};
  }

  std::string xml(const XmlSite& site) const override {
    if (routes().is_mesh()) throw MachineFileError(site.name + ": SimGrid's clusters have tori, but no meshes");
    return fmt::format(
        R"(  <cluster id="{name}" prefix="{name}-" suffix="" radical="0-{last}" speed="{speed}f" bw="{bandwidth}Bps" lat="{latency}ps"
           sharing_policy="SPLITDUPLEX" topology="TORUS" topo_parameters="{dimensions}"
           loopback_bw="{port_bandwidth}Bps" loopback_lat="{port_latency}ps">
    <prop id="injection_bandwidth" value="{port_bandwidth}Bps"/>
    <prop id="injection_latency" value="{port_latency}ps"/>
{properties}  </cluster>
)",
        fmt::arg("name", site.name), fmt::arg("last", nodes() - 1), fmt::arg("speed", site.speed),
        fmt::arg("bandwidth", xml_rate(links_.bandwidth)), fmt::arg("latency", links_.hop_latency.in_ps()),
        fmt::arg("dimensions", dimensions()), fmt::arg("port_bandwidth", xml_rate(ports().bandwidth)),
        fmt::arg("port_latency", ports().way_in.in_ps()), fmt::arg("properties", site.properties));
  }

  std::string remark_in_xml() const override { return remark_on_ports("torus"); }

 private:
  std::string dimensions() const {
    std::string text;
    for (int d = 0; d < routes().dimensions(); ++d) text += fmt::format("{}{}", d == 0 ? "" : ",", routes().extent(d));
    return text;
  }

  const LinkFigures links_;
  const std::optional<Bytes> packet_;
};

// A torus of powers of two is not built smaller than the machine usually is.
TorusRoutes read_routes(const MachineFile& file, const std::string& key, WantedNodes nodes, TorusRoutes::Ends ends) {
  const auto extents = file.extents(key, shapes);
  if (!extents) {
    const std::string shape = file.choice(key, shapes);
    if (shape == "square") return TorusRoutes(TorusRoutes::square_for(nodes.least), ends);
    const int built = std::max(nodes.least, nodes.usual);
    return TorusRoutes(shape == "cube" ? TorusRoutes::cube_for(built) : TorusRoutes::power_of_two_for(built), ends);
  }
  try {
    return TorusRoutes(*extents, ends);
  } catch (const std::invalid_argument& error) {
    file.refuse(key, error.what());
  }
}

// Nothing where routes are fixed, whose keys may still be there.
std::optional<Bytes> read_packet(const MachineFile& file, const std::string& key, bool is_adaptive) {
  const Bytes packet = KeysOfChoice(file, is_adaptive).bytes(key);
  if (!is_adaptive) return std::nullopt;
  if (packet == Bytes()) file.refuse(key, "must be more than 0");
  return packet;
}

// Without the key `routing` routes are fixed.
template <TorusRoutes::Ends ends>
std::unique_ptr<NetworkPlan> plan_torus(const KeysOfChoice& keys, const std::string& prefix, WantedNodes nodes) {
  const std::string dimensions = prefix + ".dimensions";
  NetworkKeys names{prefix + ".injection_latency", prefix + ".injection_bandwidth", prefix + ".hop_latency",
                    prefix + ".link_bandwidth", ""};
  const bool has_dimensions = keys.is_there(dimensions);
  const LinkFigures links{keys.time(names.hop_latency), keys.bandwidth(names.link_bandwidth)};
  const NodePorts ports{keys.time(names.injection_latency), Time(), keys.bandwidth(names.injection_bandwidth)};
  if (!has_dimensions) return nullptr;
  const TorusRoutes routes = read_routes(keys.file(), dimensions, nodes, ends);
  const std::string routing = prefix + ".routing";
  const bool is_adaptive = keys.file().has(routing) && keys.choice(routing, {"fixed", "adaptive"}) == "adaptive";
  const std::optional<Bytes> packet = read_packet(keys.file(), prefix + ".packet_bytes", is_adaptive);
  if (!keys.is_taken()) return nullptr;
  return std::make_unique<TorusPlan>(routes, ports, links, packet, std::move(names));
}

NodeRange node_range_of_torus(const MachineFile& file, const std::string& prefix, NodeRange of_machine) {
  const auto extents = file.extents(prefix + ".dimensions", shapes);
  if (!extents) return of_machine;
  std::int64_t nodes = 1;
  for (const std::int64_t extent : *extents) nodes = std::min<std::int64_t>(nodes * extent, TorusRoutes::nodes_max + 1);
  const std::string shape = fmt::format("{}", fmt::join(*extents, "x"));
  if (nodes > of_machine.most)
    file.refuse(
        prefix + ".dimensions",
        nodes > TorusRoutes::nodes_max
            ? fmt::format("{} are more than the {} nodes that a network can have", shape, TorusRoutes::nodes_max)
            : fmt::format("{} are {} nodes, more than machine.nodes_max, {}", shape, nodes, of_machine.most));
  return {static_cast<int>(nodes), static_cast<int>(nodes), shape};
}

const Row<Topology> torus{{"torus", plan_torus<TorusRoutes::Ends::joined>, node_range_of_torus}};
const Row<Topology> mesh{{"mesh", plan_torus<TorusRoutes::Ends::open>, node_range_of_torus}};

}  // namespace

}  // namespace hindcast
