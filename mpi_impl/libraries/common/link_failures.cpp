#include "mpi_impl/libraries/common/link_failures.hpp"

#include <algorithm>
#include <vector>

#include "simulator/machine/link_status.hpp"
#include "simulator/machine/ways_between_sites.hpp"

namespace hindcast {

LinkFailures::LinkFailures(const Machine& machine) : machine_(machine) {
  const MachineFile& file = machine.parameters();
  std::map<std::string, Time> failing_links;
  for (const NamedTable& link : file.tables("link")) {
    const std::string key = link.prefix() + ".fails_at";
    if (file.has(key)) failing_links[link.prefix()] = file.time(key);
    if (!works(file, link.prefix())) failing_links[link.prefix()] = Time();
  }
  if (failing_links.empty()) return;
  const WaysBetweenSites ways(file, read_sites(file));
  for (int from = 0; from < machine.site_count(); ++from)
    for (int to = 0; to < machine.site_count(); ++to) {
      if (from == to) continue;
      for (const auto& part : ways.way(from, to)) {
        const auto failing = failing_links.find(ways.links()[static_cast<std::size_t>(part.link)].prefix);
        if (failing == failing_links.end()) continue;
        Time& first = failing_.try_emplace({from, to}, Time::never()).first->second;
        first = std::min(first, failing->second);
      }
    }
}

bool LinkFailures::lose(int from_node, int to_node, Time at) const {
  if (failing_.empty()) return false;
  const auto failing = failing_.find({machine_.site_of(from_node), machine_.site_of(to_node)});
  return failing != failing_.end() && at >= failing->second;
}

}  // namespace hindcast
