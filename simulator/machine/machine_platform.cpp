#include "simulator/machine/machine_platform.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast {

PlannedSites::PlannedSites(const MachineFile& file, int nodes_used) : sites(read_sites(file)) {
  const NodeRange range = node_range(file);
  if (nodes_used > range.most)
    throw MachineFileError(
        fmt::format("{} has at most {} nodes, and {} are asked for", file.name(), range.most, nodes_used));
  const bool have_names = !file.tables("site").empty();
  for (Site& site : sites) {
    const WantedNodes wanted = have_names ? WantedNodes{site.nodes, site.nodes} : WantedNodes{nodes_used, range.usual};
    plans.push_back(plan_network(file, site.topology_key, site.network_prefix, wanted));
    if (!have_names) site.nodes = plans.back()->nodes();
  }
}

MachinePlatform::MachinePlatform(const MachineFile& file, PlannedSites planned, std::vector<int> nodes_used_of_site,
                                 const std::vector<NodeKind>& kinds, const PartsBesideNetwork& parts)
    : planned_(std::move(planned)),
      nodes_used_of_site_(std::move(nodes_used_of_site)),
      ways_(file, planned_.sites),
      special_(read_special_parts(file, parts)),
      platform_(file.name()) {
  add_hosts(kinds);
  add_links(file.name());
  platform_.seal([this](int from, int to, const Platform::Visit& visit) { visit_route(from, to, visit); });
}

JoinedNodes MachinePlatform::nodes_used(int site) const {
  const auto index = static_cast<std::size_t>(site);
  return {planned_.sites[index].first_node, nodes_used_of_site_[index]};
}

void MachinePlatform::add_hosts(const std::vector<NodeKind>& kinds) {
  int hosts = 0;
  for (std::size_t number = 0; number < planned_.sites.size(); ++number) {
    const Site& site = planned_.sites[number];
    first_hosts_.push_back(hosts);
    for (int i = 0; i < nodes_used_of_site_[number]; ++i, ++hosts) {
      const int node = site.first_node + i;
      platform_.add_host(node_name(node), kinds[static_cast<std::size_t>(site.kind_of(node))].processor.flop_rate);
    }
  }
  if (special_.front_end)
    front_end_host_ = platform_.add_host(special_.front_end->node_name, special_.front_end->flop_rate);
}

void MachinePlatform::add_links(const std::string& machine) {
  for (std::size_t number = 0; number < planned_.sites.size(); ++number)
    networks_.push_back(std::make_unique<SiteNetwork>(platform_, planned_.sites[number], *planned_.plans[number]));
  if (special_.front_end) special_.links.push_back(special_.front_end->line);
  const auto special_count = static_cast<std::int64_t>(special_.links.size());
  first_special_ = platform_.add_links(special_count, [this, machine](Platform::LinkNumber within) {
    PlatformLink link = special_.links[static_cast<std::size_t>(within)];
    link.name = machine + "_" + link.name;
    return link;
  });
  for (std::int64_t link = 0; link < special_count; ++link) platform_.link(first_special_ + link);
  first_between_sites_ =
      platform_.add_links(2 * static_cast<std::int64_t>(ways_.links().size()),
                          [this, machine](Platform::LinkNumber within) { return link_between_sites(machine, within); });
}

PlatformLink MachinePlatform::link_between_sites(const std::string& machine, Platform::LinkNumber number) const {
  const SiteLink& link = ways_.links()[static_cast<std::size_t>(number / 2)];
  return {fmt::format("{}_{}_{}", machine, link.name, number % 2 == 0 ? "UP" : "DOWN"), link.latency, link.bandwidth};
}

std::string MachinePlatform::node_name(int node) const {
  if (node == planned_.nodes() && special_.front_end) return special_.front_end->node_name;
  const Site& site = planned_.sites[static_cast<std::size_t>(planned_.site_of(node))];
  return fmt::format("{}-{}", site.word, node - site.first_node);
}

int MachinePlatform::host_of(int node) const {
  if (node == planned_.nodes()) return front_end_host_;
  const int site = planned_.site_of(node);
  return first_hosts_[static_cast<std::size_t>(site)] + node -
         planned_.sites[static_cast<std::size_t>(site)].first_node;
}

int MachinePlatform::site_of_host(int host) const {
  const auto behind = std::upper_bound(first_hosts_.begin(), first_hosts_.end(), host);
  return static_cast<int>(behind - first_hosts_.begin()) - 1;
}

void MachinePlatform::visit_route(int from_host, int to_host, const Platform::Visit& visit) const {
  if (from_host == front_end_host_ || to_host == front_end_host_) {
    visit(special_number(special_.front_end->bus));
    visit(special_number(special_.front_end->line.name));
    return;
  }
  const int from_site = site_of_host(from_host);
  const int to_site = site_of_host(to_host);
  if (from_site != to_site) return visit_way(from_site, to_site, visit);
  const int first = first_hosts_[static_cast<std::size_t>(from_site)];
  networks_[static_cast<std::size_t>(from_site)]->visit_route(from_host - first, to_host - first, visit);
}

void MachinePlatform::visit_way(int from_site, int to_site, const Platform::Visit& visit) const {
  for (const WaysBetweenSites::Directed& link : ways_.way(from_site, to_site))
    visit(first_between_sites_ + 2 * link.link + (link.down ? 1 : 0));
}

Platform::LinkNumber MachinePlatform::special_number(const std::string& name) const {
  const auto found = std::find_if(special_.links.begin(), special_.links.end(),
                                  [&](const PlatformLink& link) { return link.name == name; });
  return first_special_ + (found - special_.links.begin());
}

Channel MachinePlatform::special_link(const std::string& name) { return platform_.link(special_number(name)); }

}  // namespace hindcast
