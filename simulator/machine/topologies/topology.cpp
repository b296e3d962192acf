#include "simulator/machine/topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast {

const Topology& chosen_topology(const MachineFile& file, const std::string& key) {
  std::vector<std::string> names;
  for (const Topology& topology : Rows<Topology>()) names.emplace_back(topology.name);
  std::sort(names.begin(), names.end());
  const std::string name = file.choice(key, names);
  return *std::find_if(Rows<Topology>().begin(), Rows<Topology>().end(),
                       [&](const Topology& topology) { return topology.name == name; });
}

std::unique_ptr<NetworkPlan> plan_network(const MachineFile& file, const std::string& key, const std::string& prefix,
                                          WantedNodes nodes) {
  const Topology& chosen = chosen_topology(file, key);
  const std::vector<std::string> choices = file.choices(file.parameter(key));
  for (const Topology& topology : Rows<Topology>())
    if (&topology != &chosen && std::find(choices.begin(), choices.end(), topology.name) != choices.end())
      topology.plan(KeysOfChoice(file, false), prefix, nodes);
  return chosen.plan(KeysOfChoice(file, true), prefix, nodes);
}

std::string xml_rate(Rate rate) { return fmt::format("{:.12g}", rate.in_units_per_second()); }

}  // namespace hindcast
