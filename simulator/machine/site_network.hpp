// A site's network on the platform: its links and its nodes' ports have numbers there, and names that begin with the
// site's word.
#pragma once

#include <memory>

#include "simulator/hardware/network/network_links.hpp"
#include "simulator/machine/site.hpp"
#include "simulator/machine/topologies/topology.hpp"
#include "simulator/simgrid/platform.hpp"

namespace hindcast {

class SiteNetwork final : public NetworkLinks {
 public:
  // Both outlive it.
  SiteNetwork(Platform& platform, const Site& site, const NetworkPlan& plan);

  Channel link(int index) override { return platform_.link(first_link_ + index); }
  Channel injection(int node) override { return platform_.link(injection_number(node)); }
  Channel ejection(int node) override { return platform_.link(injection_number(node) + 1); }
  // As the plan has them, as long as nobody can have changed one of SimGrid's.
  bool links_are_alike() const override {
    return plan_.links_are_alike() && !platform_.has_made_a_link(first_link_, plan_.link_count());
  }

  // Nodes are counted from 0 in the site.
  void visit_route(int from, int to, const Platform::Visit& visit) const;

 private:
  PlatformLink describe(int index) const;
  // The port out is the next.
  Platform::LinkNumber injection_number(int node) const { return first_link_ + plan_.link_count() + 2 * node; }

  Platform& platform_;
  const Site& site_;
  const NetworkPlan& plan_;
  Platform::LinkNumber first_link_;
};

}  // namespace hindcast
