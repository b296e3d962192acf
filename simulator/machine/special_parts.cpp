#include "simulator/machine/special_parts.hpp"

#include <fmt/format.h>

#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

// A signal of a barrier tree has no length: the bandwidth is only there because SimGrid's links have one.
std::vector<PlatformLink> read_special_links(const MachineFile& file, const PartsBesideNetwork& parts) {
  std::vector<PlatformLink> links;
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
      node_name_of_front_end(file.name(), table),
      keys.flop_rate(table + ".flop_rate"),
      {line_of_front_end(table), keys.time(table + ".line_latency"), keys.bandwidth(table + ".line_bandwidth")},
      parts.broadcast_buses.front()};
  return parts.with_front_end ? std::optional(front_end) : std::nullopt;
}

}  // namespace

SpecialParts read_special_parts(const MachineFile& file, const PartsBesideNetwork& parts) {
  return {read_special_links(file, parts), read_front_end(file, parts)};
}

std::string node_name_of_front_end(const std::string& machine, const std::string& table) {
  return machine + "-" + table;
}
std::string line_of_front_end(const std::string& table) { return table + "_line"; }

}  // namespace hindcast
