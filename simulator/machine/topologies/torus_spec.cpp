#include "simulator/machine/topologies/torus_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "simulator/machine/machine.hpp"

namespace hindcast {

namespace {

const std::vector<std::string> shapes{"square", "powers of two", "cube"};

// A torus of powers of two is not built smaller than the machine usually is.
TorusRoutes read_routes(const MachineFile& file, int nodes_used) {
  const auto extents = file.extents("network.dimensions", shapes);
  if (!extents) {
    const std::string shape = file.choice("network.dimensions", shapes);
    if (shape == "square") return TorusRoutes(TorusRoutes::square_for(nodes_used));
    const int nodes = std::max(nodes_used, node_range(file).usual);
    return TorusRoutes(shape == "cube" ? TorusRoutes::cube_for(nodes) : TorusRoutes::power_of_two_for(nodes));
  }
  try {
    return TorusRoutes(*extents);
  } catch (const std::invalid_argument& error) {
    file.refuse("network.dimensions", error.what());
  }
}

// A signal of a barrier tree has no length: the bandwidth is only there because SimGrid's links have one.
std::vector<SpecialLink> read_special_links(const MachineFile& file) {
  std::vector<SpecialLink> links;
  if (file.has("bnet.bandwidth"))
    links.push_back({"bnet", file.time("bnet.latency"), file.bandwidth("bnet.bandwidth")});
  for (const std::string name : {"snet", "barrier"})
    if (file.has(name + ".latency")) links.push_back({name, file.time(name + ".latency"), Bandwidth::per_second(1e9)});
  return links;
}

// Looked at in runs without it as well, so that its keys are known.
std::optional<HostSpec> read_host(const MachineFile& file, bool is_wanted) {
  if (!has_host(file)) {
    if (is_wanted) throw MachineFileError(fmt::format("{} has no host", file.name()));
    return std::nullopt;
  }
  const HostSpec host{file.flop_rate("host.flop_rate"),
                      {"host_line", file.time("host.line_latency"), file.bandwidth("host.line_bandwidth")}};
  return is_wanted ? std::optional(host) : std::nullopt;
}

}  // namespace

bool has_host(const MachineFile& file) { return file.has("host.line_bandwidth") && file.has("bnet.bandwidth"); }

TorusSpec read_torus(const MachineFile& file, int nodes_used, bool with_host) {
  const NodeRange range = node_range(file);
  if (nodes_used > range.most)
    throw MachineFileError(
        fmt::format("{} has at most {} nodes, and {} are asked for", file.name(), range.most, nodes_used));
  return TorusSpec{
      .name = file.name(),
      .routes = read_routes(file, nodes_used),
      .hop_latency = file.time("network.hop_latency"),
      .link_bandwidth = file.bandwidth("network.link_bandwidth"),
      .injection_latency = file.time("network.injection_latency"),
      .injection_bandwidth = file.bandwidth("network.injection_bandwidth"),
      .flop_rate = file.flop_rate("processor.flop_rate"),
      .special_links = read_special_links(file),
      .host = read_host(file, with_host),
  };
}

NodeRange node_range(const MachineFile& file) {
  NodeRange range;
  range.most = static_cast<int>(std::min<std::int64_t>(file.count("machine.nodes_max", 1), TorusRoutes::nodes_max));
  range.usual = static_cast<int>(std::min<std::int64_t>(file.count("machine.default_nodes", 1), range.most));
  const auto extents = file.extents("network.dimensions", shapes);
  if (!extents) return range;
  std::int64_t nodes = 1;
  for (const std::int64_t extent : *extents) nodes = std::min<std::int64_t>(nodes * extent, range.most);
  return {static_cast<int>(nodes), static_cast<int>(nodes)};
}

}  // namespace hindcast
