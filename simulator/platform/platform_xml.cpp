#include "simulator/platform/platform_xml.hpp"

#include <fmt/format.h>

#include "simulator/platform/torus_platform.hpp"

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

}  // namespace

std::string platform_xml(const MachineFile& file, int nodes) {
  const TorusSpec spec = read_torus(file, nodes);
  return fmt::format(
      R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- {name}: {description}

     Written by 'hindcast platform {name} -n {nodes} --xml'. Hosts, links, routes and latencies are those of the machine.
     SimGrid's torus has no ports between a node and the network (its limiter would also be passed by traffic on its way
     through); their figures are properties here, and the loopback stands for a node's two ports. -->
<platform version="4.1">
  <cluster id="{name}" prefix="{name}-" suffix="" radical="0-{last}" speed="{speed}f" bw="{bandwidth}Bps" lat="{latency}ps"
           sharing_policy="SPLITDUPLEX" topology="TORUS" topo_parameters="{dimensions}"
           loopback_bw="{port_bandwidth}Bps" loopback_lat="{port_latency}ps">
    <prop id="injection_bandwidth" value="{port_bandwidth}Bps"/>
    <prop id="injection_latency" value="{port_latency}ps"/>
{special_links}  </cluster>
</platform>
)",
      fmt::arg("name", file.name()), fmt::arg("description", file.description()), fmt::arg("nodes", nodes),
      fmt::arg("last", spec.routes.nodes() - 1), fmt::arg("speed", shown_rate(spec.flop_rate)),
      fmt::arg("bandwidth", shown_rate(spec.link_bandwidth)), fmt::arg("latency", spec.hop_latency.in_ps()),
      fmt::arg("dimensions", dimensions_of(spec.routes)),
      fmt::arg("port_bandwidth", shown_rate(spec.injection_bandwidth)),
      fmt::arg("port_latency", spec.injection_latency.in_ps()), fmt::arg("special_links", special_links(spec)));
}

}  // namespace hindcast
