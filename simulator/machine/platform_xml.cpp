#include "simulator/machine/platform_xml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/machine/machine_platform.hpp"

namespace hindcast {

namespace {

// Networks beside that of a site, which a cluster has no place for.
std::string as_properties(const std::vector<PlatformLink>& links) {
  std::string text;
  for (const PlatformLink& link : links)
    text += fmt::format(
        "    <prop id=\"{0}_bandwidth\" value=\"{1}Bps\"/>\n    <prop id=\"{0}_latency\" value=\"{2}ps\"/>\n",
        link.name, xml_rate(link.bandwidth), link.latency.in_ps());
  return text;
}

std::string link(const std::string& machine, const PlatformLink& link, const std::string& sharing = "") {
  return fmt::format("    <link id=\"{}_{}\" bandwidth=\"{}Bps\" latency=\"{}ps\"{}/>\n", machine, link.name,
                     xml_rate(link.bandwidth), link.latency.in_ps(), sharing);
}

// The nodes' network and the front end, each in a zone, joined by the broadcast bus and the front end's line. SimGrid's
// torus has no way out but by one of its nodes: from the others routes to the front end go there first.
std::string zone_with_front_end(const std::string& name, const std::string& cluster, const SpecialParts& special,
                                const std::string& called) {
  const FrontEndSpec& front_end = *special.front_end;
  const auto bus = std::find_if(special.links.begin(), special.links.end(),
                                [&](const PlatformLink& link) { return link.name == front_end.bus; });
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
      fmt::arg("called", called), fmt::arg("name", name), fmt::arg("cluster", cluster),
      fmt::arg("host", front_end.node_name), fmt::arg("speed", xml_rate(front_end.flop_rate)),
      fmt::arg("bus", link(name, *bus)), fmt::arg("bus_name", front_end.bus),
      fmt::arg("line", link(name, front_end.line)), fmt::arg("line_name", front_end.line.name));
}

// SimGrid's torus, fat tree and cluster have hosts of one speed.
FlopRate flop_rate_of(const Site& site, const std::vector<NodeKind>& kinds) {
  const NodeKind& first = kinds[static_cast<std::size_t>(site.kinds.front().kind)];
  for (const NodesOfKind& some : site.kinds) {
    const NodeKind& kind = kinds[static_cast<std::size_t>(some.kind)];
    if (kind.processor.flop_rate != first.processor.flop_rate)
      throw MachineFileError(
          fmt::format("{}: the nodes '{}' and '{}' differ in flop_rate, and SimGrid's platform files have one for all "
                      "nodes of a network",
                      site.word, first.name, kind.name));
  }
  return first.processor.flop_rate;
}

std::string zone_of(const Site& site, const NetworkPlan& plan, const std::vector<NodeKind>& kinds,
                    const SpecialParts& special) {
  return plan.xml({site.word, site.nodes, xml_rate(flop_rate_of(site, kinds)), as_properties(special.links)});
}

// One way, as SimGrid takes the links of the way back from it.
std::string way(const std::string& machine, const WaysBetweenSites& ways, const std::vector<Site>& sites, int from,
                int to) {
  const std::string& from_word = sites[static_cast<std::size_t>(from)].word;
  const std::string& to_word = sites[static_cast<std::size_t>(to)].word;
  std::string text =
      fmt::format("    <zoneRoute src=\"{0}\" dst=\"{1}\" gw_src=\"{0}-0\" gw_dst=\"{1}-0\">\n", from_word, to_word);
  for (const WaysBetweenSites::Directed& directed : ways.way(from, to))
    text += fmt::format("      <link_ctn id=\"{}_{}\" direction=\"{}\"/>\n", machine,
                        ways.links()[static_cast<std::size_t>(directed.link)].name, directed.down ? "DOWN" : "UP");
  return text + "    </zoneRoute>\n";
}

// Sites are zones, and between any two is the way of the least latency.
std::string zone_of_sites(const MachineFile& file, const PlannedSites& planned, const std::vector<NodeKind>& kinds) {
  const WaysBetweenSites ways(file, planned.sites);
  std::string text = fmt::format("  <zone id=\"{}\" routing=\"Full\">\n", file.name());
  for (std::size_t i = 0; i < planned.sites.size(); ++i)
    text += zone_of(planned.sites[i], *planned.plans[i], kinds, {});
  for (const SiteLink& between : ways.links())
    text += link(file.name(), {between.name, between.latency, between.bandwidth}, " sharing_policy=\"SPLITDUPLEX\"");
  const int sites = static_cast<int>(planned.sites.size());
  for (int from = 0; from < sites; ++from)
    for (int to = from + 1; to < sites; ++to) text += way(file.name(), ways, planned.sites, from, to);
  return text + "  </zone>\n";
}

// What is said once of each sort of network.
std::string remarks(const PlannedSites& planned) {
  std::vector<std::string> lines;
  for (const auto& plan : planned.plans)
    if (const std::string line = plan->remark_in_xml();
        !line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(line);
  if (planned.sites.size() > 1)
    lines.emplace_back(
        "     A zone of SimGrid's is left by its node 0 alone: routes between sites pass that, which the machine's do "
        "not.\n"
        "     It has no windows for a link's connections.");
  return fmt::format("{}", fmt::join(lines, "\n"));
}

// No two dashes may follow each other in a comment.
std::string in_comment(const std::string& text) {
  std::string apart;
  for (const char letter : text) {
    if (letter == '-' && apart.ends_with('-')) apart += ' ';
    apart += letter;
  }
  return apart;
}

}  // namespace

std::string platform_xml(const MachineFile& file, int nodes, const PartsBesideNetwork& parts,
                         const std::string& options) {
  const std::vector<NodeKind> kinds = read_node_kinds(file);
  const PlannedSites planned(file, nodes);
  const SpecialParts special = read_special_parts(file, parts);
  const int built = file.tables("site").empty() ? nodes : planned.nodes();
  if (built != nodes)
    throw MachineFileError(fmt::format(
        "{} has {} nodes in its sites: export it with all, or change how many a site has", file.name(), built));
  const auto machine = [&] {
    if (planned.sites.size() > 1) return zone_of_sites(file, planned, kinds);
    const std::string cluster = zone_of(planned.sites.front(), *planned.plans.front(), kinds, special);
    return special.front_end ? zone_with_front_end(file.name(), cluster, special, parts.front_end) : cluster;
  };
  return fmt::format(
      R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- {name}: {description}

     Written by 'hindcast platform {name} -n {nodes}{options} - -xml', but that two dashes stand apart in a comment. Hosts, links, routes and latencies are those of the machine.
{remarks} -->
<platform version="4.1">
{machine}</platform>
)",
      fmt::arg("name", in_comment(file.name())), fmt::arg("description", in_comment(file.description())),
      fmt::arg("nodes", nodes), fmt::arg("options", in_comment(options)),
      fmt::arg("remarks", in_comment(remarks(planned))), fmt::arg("machine", machine()));
}

}  // namespace hindcast
