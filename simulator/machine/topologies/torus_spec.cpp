#include "simulator/machine/topologies/torus_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "simulator/machine/file/keys_of_choice.hpp"
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
std::vector<SpecialLink> read_special_links(const MachineFile& file, const PartsBesideNetwork& parts) {
  std::vector<SpecialLink> links;
  for (const std::string& bus : parts.broadcast_buses)
    links.push_back({bus, file.time(bus + ".latency"), file.bandwidth(bus + ".bandwidth")});
  for (const std::string& tree : parts.barrier_trees)
    links.push_back({tree, file.time(tree + ".latency"), Bandwidth::per_second(1e9)});
  return links;
}

std::optional<FrontEndSpec> read_front_end(const MachineFile& file, const PartsBesideNetwork& parts) {
  const std::string& table = parts.front_end;
  if (table.empty()) {
    if (parts.with_front_end) throw MachineFileError(fmt::format("{} has no front end", file.name()));
    return std::nullopt;
  }
  const KeysOfChoice keys(file, parts.with_front_end);
  const FrontEndSpec front_end{
      host_name_of_front_end(file.name(), table),
      keys.flop_rate(table + ".flop_rate"),
      {line_of_front_end(table), keys.time(table + ".line_latency"), keys.bandwidth(table + ".line_bandwidth")},
      parts.broadcast_buses.front()};
  return parts.with_front_end ? std::optional(front_end) : std::nullopt;
}

}  // namespace

std::string host_name_of_front_end(const std::string& machine, const std::string& table) {
  return machine + "-" + table;
}
std::string line_of_front_end(const std::string& table) { return table + "_line"; }

TorusSpec read_torus(const MachineFile& file, int nodes_used, const PartsBesideNetwork& parts) {
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
      .special_links = read_special_links(file, parts),
      .front_end = read_front_end(file, parts),
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
