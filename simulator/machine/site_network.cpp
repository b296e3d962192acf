#include "simulator/machine/site_network.hpp"

#include <fmt/format.h>

namespace hindcast {

SiteNetwork::SiteNetwork(Platform& platform, const Site& site, const NetworkPlan& plan)
    : platform_(platform),
      site_(site),
      plan_(plan),
      first_link_(
          platform.add_links(plan.link_count() + 2 * static_cast<std::int64_t>(plan.nodes()),
                             [this](Platform::LinkNumber within) { return describe(static_cast<int>(within)); })) {}

void SiteNetwork::visit_route(int from, int to, const Platform::Visit& visit) const {
  if (plan_.is_one_node()) return;
  visit(injection_number(from));
  plan_.visit_route(from, to, [&](int index) { visit(first_link_ + index); });
  visit(injection_number(to) + 1);
}

PlatformLink SiteNetwork::describe(int index) const {
  if (index < plan_.link_count()) return plan_.link(index, site_.word);
  const int port = index - plan_.link_count();
  const NodePorts ports = plan_.ports();
  const bool is_way_in = port % 2 == 0;
  return {fmt::format("{}_port_{}_{}", site_.word, port / 2, is_way_in ? "UP" : "DOWN"),
          is_way_in ? ports.way_in : ports.way_out, ports.bandwidth};
}

}  // namespace hindcast
