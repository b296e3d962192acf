// The platform that a machine's file describes: its sites' hosts and networks, the links between sites, and what there
// is beside them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/parts.hpp"
#include "simulator/machine/site.hpp"
#include "simulator/machine/site_network.hpp"
#include "simulator/machine/special_parts.hpp"
#include "simulator/machine/ways_between_sites.hpp"

namespace hindcast {

// The sites as they are to be built. A site of a machine without names for them is as large as the nodes used want it.
struct PlannedSites {
  PlannedSites(const MachineFile& file, int nodes_used);

  std::vector<Site> sites;
  std::vector<std::unique_ptr<NetworkPlan>> plans;

  int nodes() const { return sites.back().first_node + sites.back().nodes; }
  int site_of(int node) const { return hindcast::site_of(sites, node); }
};

class MachinePlatform {
 public:
  // The first nodes of each site, so many, get hosts.
  MachinePlatform(const MachineFile& file, PlannedSites planned, std::vector<int> nodes_used_of_site,
                  const std::vector<NodeKind>& kinds, const PartsBesideNetwork& parts);

  const PlannedSites& planned() const { return planned_; }
  JoinedNodes nodes_used(int site) const;
  SiteNetwork& network(int site) { return *networks_[static_cast<std::size_t>(site)]; }
  const WaysBetweenSites& ways() const { return ways_; }

  std::string node_name(int node) const;  // or the front end's, which is the number behind the nodes'
  Time latency(int from, int to) { return platform_.latency(host_of(from), host_of(to)); }
  Channel special_link(const std::string& name);

 private:
  void add_hosts(const std::vector<NodeKind>& kinds);
  void add_links(const std::string& machine);
  int host_of(int node) const;
  int site_of_host(int host) const;
  void visit_route(int from_host, int to_host, const Platform::Visit& visit) const;
  void visit_way(int from_site, int to_site, const Platform::Visit& visit) const;
  PlatformLink link_between_sites(const std::string& machine, Platform::LinkNumber number) const;
  Platform::LinkNumber special_number(const std::string& name) const;

  const PlannedSites planned_;
  const std::vector<int> nodes_used_of_site_;
  const WaysBetweenSites ways_;
  SpecialParts special_;
  Platform platform_;
  std::vector<int> first_hosts_;  // by site
  int front_end_host_ = -1;
  std::vector<std::unique_ptr<SiteNetwork>> networks_;
  Platform::LinkNumber first_special_ = 0;
  Platform::LinkNumber first_between_sites_ = 0;  // each link, and against its direction
};

}  // namespace hindcast
