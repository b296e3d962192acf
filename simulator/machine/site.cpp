#include "simulator/machine/site.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/machine/link_status.hpp"
#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/topologies/topology.hpp"

namespace hindcast {

namespace {

constexpr int nodes_max = 1 << 20;

int index_of(const std::vector<NamedTable>& tables, const std::string& name) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const NamedTable& table) { return table.name == name; });
  return static_cast<int>(found - tables.begin());
}

// The index of the table of this sort that the key's value names.
int index_named_by(const MachineFile& file, const std::string& key, const std::string& sort) {
  return index_of(file.tables(sort), file.choice(key, file.choices(file.parameter(key))));
}

bool are_of_several_kinds(const MachineFile& file, const std::string& prefix) {
  return std::holds_alternative<std::vector<std::string>>(file.parameter(prefix + ".node").value);
}

// How many nodes a site has of each kind.
std::vector<std::int64_t> numbers_of_nodes(const MachineFile& file, const std::string& prefix) {
  const std::string key = prefix + ".nodes";
  if (!are_of_several_kinds(file, prefix)) return {file.count(key, 1)};
  const std::size_t kinds = file.texts(prefix + ".node").size();
  const auto* list = std::get_if<std::vector<std::int64_t>>(&file.parameter(key).value);
  if (list == nullptr || list->size() != kinds)
    file.refuse(key, fmt::format("{}.node has {} kinds: here belongs a list of {} numbers of nodes, such as [8, 2]",
                                 prefix, kinds, kinds));
  for (const std::int64_t nodes : *list)
    if (nodes < 1) file.refuse(key, fmt::format("{} is not at least 1", nodes));
  return *list;
}

std::int64_t count_nodes(const MachineFile& file, const std::string& prefix) {
  std::int64_t nodes = 0;
  for (const std::int64_t of_kind : numbers_of_nodes(file, prefix))
    nodes += std::min<std::int64_t>(of_kind, nodes_max + 1);
  return nodes;
}

// The indices of the tables [[node]] that a site names.
std::vector<int> indices_of_kinds(const MachineFile& file, const std::string& prefix) {
  const std::string key = prefix + ".node";
  if (!are_of_several_kinds(file, prefix)) return {index_named_by(file, key, "node")};
  const std::vector<NamedTable> tables = file.tables("node");
  std::vector<std::string> names;
  for (const NamedTable& table : tables) names.push_back(table.name);
  std::vector<int> indices;
  for (const std::string& name : file.texts(key)) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      file.refuse(key, fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")));
    indices.push_back(index_of(tables, name));
  }
  return indices;
}

std::vector<NodesOfKind> read_nodes(const MachineFile& file, const std::string& prefix) {
  const std::vector<int> kinds = indices_of_kinds(file, prefix);
  const std::vector<std::int64_t> numbers = numbers_of_nodes(file, prefix);
  std::vector<NodesOfKind> nodes;
  for (std::size_t i = 0; i < kinds.size(); ++i) nodes.push_back({kinds[i], static_cast<int>(numbers[i])});
  return nodes;
}

void refuse_half_a_machine(const MachineFile& file) {
  for (const char* sort : {"node", "network", "link"})
    for (const NamedTable& table : file.tables(sort)) file.refuse(table, "there is no [[site]] that has a use for it");
}

Site read_named_site(const MachineFile& file, const NamedTable& table, bool is_only) {
  const std::string prefix = table.prefix();
  Site site;
  site.name = table.name;
  site.word = is_only ? file.name() : file.name() + "-" + table.name;
  const NamedTable network =
      file.tables("network")[static_cast<std::size_t>(index_named_by(file, prefix + ".network", "network"))];
  site.network_prefix = network.prefix();
  site.topology_key = network.prefix() + ".topology";
  const std::string nodes_key = prefix + ".nodes";
  const std::int64_t nodes = count_nodes(file, prefix);
  if (nodes > nodes_max) file.refuse(nodes_key, "more than 1048576 nodes");
  site.nodes = static_cast<int>(nodes);
  site.kinds = read_nodes(file, prefix);
  const NodeRange joined =
      chosen_topology(file, site.topology_key).node_range(file, site.network_prefix, {nodes_max, nodes_max});
  if (joined.most < nodes)
    file.refuse(nodes_key, fmt::format("{} nodes, but {} joins {} at most", nodes, network.prefix(), joined.most));
  return site;
}

}  // namespace

int Site::kind_of(int node) const {
  int first = first_node;
  for (const NodesOfKind& some : kinds) {
    if (node < first + some.nodes) return some.kind;
    first += some.nodes;
  }
  return kinds.back().kind;  // a torus may be larger than what is asked for
}

int site_of(const std::vector<Site>& sites, int node) {
  const auto behind =
      std::upper_bound(sites.begin(), sites.end(), node, [](int at, const Site& site) { return at < site.first_node; });
  return static_cast<int>(behind - sites.begin()) - 1;
}

std::vector<Site> read_sites(const MachineFile& file) {
  const std::vector<NamedTable> tables = file.tables("site");
  if (tables.empty()) {
    refuse_half_a_machine(file);
    const int nodes = node_range(file).most;
    return {Site{file.name(), file.name(), {{0, nodes}}, 0, nodes, "network", "machine.topology"}};
  }
  std::vector<Site> sites;
  std::int64_t nodes = 0;
  for (const NamedTable& table : tables) {
    Site& site = sites.emplace_back(read_named_site(file, table, tables.size() == 1));
    site.first_node = static_cast<int>(nodes);
    nodes += site.nodes;
    if (nodes > nodes_max) file.refuse(table.prefix() + ".nodes", "more than 1048576 nodes in all sites");
  }
  return sites;
}

namespace {

Bytes window_of(const MachineFile& file, const std::string& key) {
  const Bytes window = file.bytes(key);
  if (window == Bytes()) file.refuse(key, "must be more than 0");
  return window;
}

}  // namespace

std::vector<SiteLink> read_site_links(const MachineFile& file) {
  std::vector<SiteLink> links;
  for (const NamedTable& table : file.tables("link")) {
    const std::string prefix = table.prefix();
    SiteLink link{table.name, prefix};
    link.from = index_named_by(file, prefix + ".from", "site");
    link.to = index_named_by(file, prefix + ".to", "site");
    if (link.from == link.to) file.refuse(prefix + ".to", "a link from a site to itself");
    link.latency = file.time(prefix + ".latency");
    link.bandwidth = file.bandwidth(prefix + ".bandwidth");
    if (file.has(prefix + ".window")) link.window = window_of(file, prefix + ".window");
    if (is_taken(file, prefix)) links.push_back(std::move(link));
  }
  return links;
}

Slots read_slots(const MachineFile& file) {
  const std::vector<NodeKind> kinds = read_node_kinds(file);
  std::vector<SlotsOfSite> slots;
  for (const Site& site : read_sites(file))
    for (const NodesOfKind& some : site.kinds)
      slots.push_back({site.name, some.nodes, kinds[static_cast<std::size_t>(some.kind)].processors});
  return Slots(std::move(slots));
}

namespace {

// Who makes a machine smaller by --set machine.nodes_max need not give machine.default_nodes, too.
void refuse_more_than_there_can_be(const MachineFile& file) {
  const std::int64_t most = file.count("machine.nodes_max", 1);
  const std::int64_t usual = file.count("machine.default_nodes", 1);
  const bool is_made_smaller =
      !file.parameter("machine.nodes_max").set_by.empty() && file.parameter("machine.default_nodes").set_by.empty();
  if (usual > most && !is_made_smaller)
    file.refuse("machine.default_nodes", fmt::format("{} are more than machine.nodes_max, {}", usual, most));
}

}  // namespace

NodeRange node_range(const MachineFile& file) {
  if (const auto sites = file.tables("site"); !sites.empty()) {
    std::int64_t nodes = 0;
    for (const NamedTable& site : sites) nodes += count_nodes(file, site.prefix());
    const auto all = static_cast<int>(std::min<std::int64_t>(nodes, nodes_max));
    return {all, all};
  }
  refuse_more_than_there_can_be(file);
  NodeRange range;
  range.most = static_cast<int>(std::min<std::int64_t>(file.count("machine.nodes_max", 1), nodes_max));
  range.usual = static_cast<int>(std::min<std::int64_t>(file.count("machine.default_nodes", 1), range.most));
  return chosen_topology(file, "machine.topology").node_range(file, "network", range);
}

}  // namespace hindcast
