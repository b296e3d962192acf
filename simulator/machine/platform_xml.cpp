#include "simulator/machine/platform_xml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/machine/topologies/torus_spec.hpp"

namespace hindcast {

namespace {

// Rates are kept as times per unit, so their last digits are rounding.
std::string shown_rate(Rate rate) { return fmt::format("{:.12g}", rate.in_units_per_second()); }

std::string dimensions_of(const TorusRoutes& routes) {
  std::string text;
  for (int d = 0; d < routes.dimensions(); ++d) text += fmt::format("{}{}", d == 0 ? "" : ",", routes.extent(d));
  return text;
}

// Networks beside the torus, which a cluster has no place for.
std::string special_links(const TorusSpec& spec) {
  std::string text;
  for (const SpecialLink& link : spec.special_links)
    text += fmt::format(
        "    <prop id=\"{0}_bandwidth\" value=\"{1}Bps\"/>\n    <prop id=\"{0}_latency\" value=\"{2}ps\"/>\n",
        link.name, shown_rate(link.bandwidth), link.latency.in_ps());
  return text;
}

std::string cluster(const TorusSpec& spec) {
  return fmt::format(
      R"(  <cluster id="{name}" prefix="{name}-" suffix="" radical="0-{last}" speed="{speed}f" bw="{bandwidth}Bps" lat="{latency}ps"
           sharing_policy="SPLITDUPLEX" topology="TORUS" topo_parameters="{dimensions}"
           loopback_bw="{port_bandwidth}Bps" loopback_lat="{port_latency}ps">
    <prop id="injection_bandwidth" value="{port_bandwidth}Bps"/>
    <prop id="injection_latency" value="{port_latency}ps"/>
{special_links}  </cluster>
)",
      fmt::arg("name", spec.name), fmt::arg("last", spec.routes.nodes() - 1),
      fmt::arg("speed", shown_rate(spec.flop_rate)), fmt::arg("bandwidth", shown_rate(spec.link_bandwidth)),
      fmt::arg("latency", spec.hop_latency.in_ps()), fmt::arg("dimensions", dimensions_of(spec.routes)),
      fmt::arg("port_bandwidth", shown_rate(spec.injection_bandwidth)),
      fmt::arg("port_latency", spec.injection_latency.in_ps()), fmt::arg("special_links", special_links(spec)));
}

std::string link(const std::string& machine, const SpecialLink& link) {
  return fmt::format("    <link id=\"{}_{}\" bandwidth=\"{}Bps\" latency=\"{}ps\"/>\n", machine, link.name,
                     shown_rate(link.bandwidth), link.latency.in_ps());
}

// The torus and the front end, each in a zone, joined by the broadcast bus and the front end's line. SimGrid's torus
// has no way out but by one of its nodes: from the others routes to the front end go there first.
std::string zone_with_front_end(const TorusSpec& spec, const std::string& called) {
  const FrontEndSpec& front_end = *spec.front_end;
  const auto bus = std::find_if(spec.special_links.begin(), spec.special_links.end(),
                                [&](const SpecialLink& link) { return link.name == front_end.bus; });
  return fmt::format(
      R"(  <!-- SimGrid's torus can be left by one of its nodes alone: other nodes' routes to the {called} pass node 0, which the
       machine's do not. -->
  <zone id="{name}_and_{called}" routing="Full">
{cluster}    <zone id="{host}_zone" routing="Full">
      <host id="{host}" speed="{speed}f"/>
    </zone>
{bus}{line}    <zoneRoute src="{name}" dst="{host}_zone" gw_src="{name}-0" gw_dst="{host}">
      <link_ctn id="{name}_{bus_name}"/>
      <link_ctn id="{name}_{line_name}"/>
    </zoneRoute>
  </zone>
)",
      fmt::arg("called", called), fmt::arg("name", spec.name), fmt::arg("cluster", cluster(spec)),
      fmt::arg("host", front_end.host_name), fmt::arg("speed", shown_rate(front_end.flop_rate)),
      fmt::arg("bus", link(spec.name, *bus)), fmt::arg("bus_name", front_end.bus),
      fmt::arg("line", link(spec.name, front_end.line)), fmt::arg("line_name", front_end.line.name));
}

}  // namespace

std::string platform_xml(const MachineFile& file, int nodes, const PartsBesideNetwork& parts,
                         const std::string& options) {
  const TorusSpec spec = read_torus(file, nodes, parts);
  return fmt::format(
      R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- {name}: {description}

     Written by 'hindcast platform {name} -n {nodes}{options} --xml'. Hosts, links, routes and latencies are those of the machine.
     SimGrid's torus has no ports between a node and the network (its limiter would also be passed by traffic on its way
     through); their figures are properties here, and the loopback stands for a node's two ports. -->
<platform version="4.1">
{machine}</platform>
)",
      fmt::arg("name", file.name()), fmt::arg("description", file.description()), fmt::arg("nodes", nodes),
      fmt::arg("options", options),
      fmt::arg("machine", spec.front_end ? zone_with_front_end(spec, parts.front_end) : cluster(spec)));
}

}  // namespace hindcast
