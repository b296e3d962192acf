// Machines of several kinds of nodes, networks and sites: what is built of their files, and the routes of every pair.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <simgrid/s4u.hpp>

#include "simulator/hardware/network/torus_routes.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/machine/changed_machine.hpp"
#include "tests/support/in_child.hpp"

namespace sg = simgrid::s4u;

namespace hindcast::test {
namespace {

TEST(Sites, HaveTheirNodesNumberedThrough) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("grid", {});
  const auto machine = Machine::build(engine, file, 41);
  EXPECT_EQ(machine->nodes(), 32 + 8 + 1);
  ASSERT_EQ(machine->site_count(), 3);
  EXPECT_EQ(machine->site(1).name, "midland");
  EXPECT_EQ(machine->site(1).first_node, 32);
  EXPECT_EQ(machine->site(1).nodes, 8);
  EXPECT_EQ(machine->site_of(0), 0);
  EXPECT_EQ(machine->site_of(31), 0);
  EXPECT_EQ(machine->site_of(32), 1);
  EXPECT_EQ(machine->site_of(40), 2);
  EXPECT_EQ(machine->node_name(33), "grid-midland-1");
  EXPECT_EQ(machine->network_prefix(1), "network.switch");
}

TEST(Sites, HaveNodesOfTheirKind) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("grid", {"node.smp.copy_bandwidth=100 MB/s", "node.smp.memory_sharing=turns"});
  const auto machine = Machine::build(engine, file, 41);
  EXPECT_EQ(machine->kind_of(5).name, "single");
  EXPECT_EQ(machine->kind_of(5).processors, 1);
  const NodeKind& smp = machine->kind_of(32);
  EXPECT_EQ(smp.prefix, "node.smp");
  EXPECT_EQ(smp.processors, 4);
  EXPECT_EQ(smp.processor.copy(Bytes(100)), Time::us(1));
  EXPECT_EQ(smp.memory_port_bandwidth, Bandwidth::per_second(500e6));
  EXPECT_EQ(smp.memory_sharing, MemoryPort::Sharing::in_turn);
  EXPECT_EQ(machine->kind_of(40).processors, 16);
  EXPECT_EQ(&machine->processor_of(32), &smp.processor);
  EXPECT_NEAR(sg::Host::by_name("grid-west-0")->get_speed(), 3e8, 1e-3);
}

TEST(Sites, HaveANetworkEachUnlessTheyAreOneNode) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("grid", {});
  const auto machine = Machine::build(engine, file, 41);
  EXPECT_NE(machine->network_of_site(0), nullptr);
  EXPECT_NE(machine->network_of_site(1), nullptr);
  EXPECT_EQ(machine->network_of_site(2), nullptr);
  EXPECT_NE(machine->wide_area(), nullptr);
  EXPECT_THROW(machine->network(), MachineFileError);
  EXPECT_THROW(machine->processor(), MachineFileError);
}

TEST(Sites, OneAloneHasNoWideArea) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("cluster", {});
  const auto machine = Machine::build(engine, file, 4);
  EXPECT_EQ(machine->site_count(), 1);
  EXPECT_EQ(machine->nodes(), 64);
  EXPECT_EQ(machine->node_name(3), "cluster-3");
  EXPECT_EQ(machine->wide_area(), nullptr);
  EXPECT_EQ(&machine->network(), machine->network_of_site(0));
  EXPECT_EQ(machine->kind_of(0).processors, 4);
}

TEST(Sites, AMachineWithoutNamesForThemIsOne) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("ideal", {});
  const auto machine = Machine::build(engine, file, 6);
  EXPECT_EQ(machine->site_count(), 1);
  EXPECT_EQ(machine->site(0).name, "ideal");
  EXPECT_EQ(machine->network_prefix(0), "network");
  EXPECT_EQ(machine->kind_of(5).prefix, "processor");
  EXPECT_EQ(machine->kind_of(5).processors, 1);
  EXPECT_EQ(machine->wide_area(), nullptr);
}

TEST(Sites, OnlyNodesUpToTheLastUsedOfEachGetHosts) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("grid", {});
  const auto machine = Machine::build(engine, file, std::vector<int>{1, 34, 34});
  EXPECT_EQ(sg::Engine::get_instance()->get_host_count(), 2U + 3U);
  EXPECT_NE(sg::Host::by_name_or_null("grid-east-1"), nullptr);
  EXPECT_NE(sg::Host::by_name_or_null("grid-midland-2"), nullptr);
  EXPECT_EQ(sg::Host::by_name_or_null("grid-west-0"), nullptr);
}

// The links by SimGrid's names, said once more.
Route route_in_torus(int from, int to) {
  const TorusRoutes torus({4, 4, 2});
  Route route{{fmt::format("grid-east_port_{}_UP", from)}, 100e-9};
  torus.for_each_link(torus.route(from, to), [&](int index) {
    const TorusRoutes::Link link = torus.link(index);
    route.links.push_back(fmt::format("grid-east_link_from_{}_to_{}_{}", link.owner,
                                      torus.upper_neighbour(link.owner, link.dimension), link.down ? "DOWN" : "UP"));
    route.latency += 50e-9;
  });
  route.links.push_back(fmt::format("grid-east_port_{}_DOWN", to));
  return route;
}

Route route_in_crossbar(int from, int to) {
  return {{fmt::format("grid-midland_port_{}_UP", from), fmt::format("grid-midland_port_{}_DOWN", to)}, 1000e-9};
}

Route expected_route(const Machine& machine, int from, int to) {
  const int from_site = machine.site_of(from);
  const int to_site = machine.site_of(to);
  const int from_first = machine.site(from_site).first_node;
  if (from_site == to_site) {
    if (from_site == 0) return route_in_torus(from, to);
    return from_site == 1 ? route_in_crossbar(from - from_first, to - from_first) : Route{};
  }
  const Route east_to_midland{{"grid_backbone_UP"}, 10e-3};
  const Route midland_to_west{{"grid_spur_UP"}, 2e-3};
  switch (from_site * 10 + to_site) {
    case 1:
      return east_to_midland;
    case 2:
      return {{"grid_backbone_UP", "grid_spur_UP"}, 12e-3};
    case 10:
      return {{"grid_backbone_DOWN"}, 10e-3};
    case 12:
      return midland_to_west;
    case 20:
      return {{"grid_spur_DOWN", "grid_backbone_DOWN"}, 12e-3};
    default:
      return {{"grid_spur_DOWN"}, 2e-3};
  }
}

TEST(Sites, EveryPairHasTheRouteOfThePlatform) {
  Engine engine(EngineOptions{});
  const MachineFile file = changed("grid", {});
  const auto machine = Machine::build(engine, file, 41);
  for (int from = 0; from < machine->nodes(); ++from)
    for (int to = 0; to < machine->nodes(); ++to) {
      const Route expected = expected_route(*machine, from, to);
      const Route route = route_to(machine->node_name(from), machine->node_name(to));
      ASSERT_EQ(route.links, expected.links) << from << " to " << to;
      ASSERT_NEAR(route.latency, expected.latency, 1e-15);
      Network* network = machine->site_of(from) == machine->site_of(to)
                             ? machine->network_of_site(machine->site_of(from))
                             : machine->wide_area();
      if (network != nullptr) {
        ASSERT_EQ(network->latency(from, to), Time::from_seconds(expected.latency));
      }
    }
}

TEST(Sites, TheWayOfLeastLatencyIsTaken) {
  Engine engine(EngineOptions{});
  const MachineFile file =
      rewritten("grid", {{"from = { value = \"midland\"", "from = { value = \"east\""},
                         {"value = 2, unit = \"ms\"", "value = 30, unit = \"ms\""},
                         {"[messages]",
                          "[[link]]\nname = 'short'\n"
                          "from = { value = 'west', kind = 'invented' }\n"
                          "to = { value = 'midland', kind = 'invented' }\n"
                          "latency = { value = 19, unit = 'ms', kind = 'invented' }\n"
                          "bandwidth = { value = 1, unit = 'MB/s', kind = 'invented' }\n"
                          "window = { value = 64, unit = 'KiB', kind = 'invented' }\n[messages]"}});
  const auto machine = Machine::build(engine, file, 41);
  EXPECT_EQ(route_to("grid-east-0", "grid-west-0").links,
            (std::vector<std::string>{"grid_backbone_UP", "grid_short_DOWN"}));
  EXPECT_EQ(machine->wide_area()->latency(40, 0), Time::us(29'000));
}

std::string error_in(const MachineFile& file, int nodes = 2) {
  return text_from_child([&]() -> std::string {
    Engine engine(EngineOptions{});
    try {
      Machine::build(engine, file, nodes);
      file.refuse_unknown_keys();
    } catch (const MachineFileError& error) {
      return error.what();
    }
    return "no error";
  });
}

std::string error_of(const std::string& machine, const std::vector<Replacement>& replacements) {
  try {
    return error_in(rewritten(machine, replacements));
  } catch (const MachineFileError& error) {
    return error.what();
  }
}

TEST(SitesMistakes, AreToldWithTheirPlaceInTheFile) {
  const std::string link_of_west = "to = { value = \"west\", kind";
  EXPECT_EQ(error_of("grid", {{"name = \"smp\"", "name = \"single\""}}),
            "mine.toml:27:1: node: the name 'single' is taken: line 14 has it");
  EXPECT_EQ(error_of("grid", {{"name = \"smp\"\n", ""}}), "mine.toml:27:1: node: key 'name' is missing");
  EXPECT_EQ(error_of("grid", {{"name = \"smp\"", "name = \"s.p\""}}),
            "mine.toml:27:1: node: name 's.p' has to be of small letters, digits, '-' and '_'");
  EXPECT_EQ(error_of("grid", {{"[[site]]", "[[sites]]"}}),
            "mine.toml:78:1: sites: unknown table, did you mean 'site'?");
  EXPECT_EQ(error_of("grid", {{"node = { value = \"smp\"", "node = { value = \"thin\""}}),
            "mine.toml:86:1: site.midland.node: 'thin' is not one of single, smp, large");
  EXPECT_EQ(error_of("grid", {{"network = { value = \"switch\"", "network = { value = \"swich\""}}),
            "mine.toml:87:1: site.midland.network: 'swich' is not one of mesh, switch, none");
  EXPECT_EQ(error_of("grid", {{link_of_west, "to = { value = \"east\", kind"}}),
            "mine.toml:90:1: site.west: no [[link]] leads from site 'east' to it");
  EXPECT_EQ(error_of("grid", {{link_of_west, "to = { value = \"midland\", kind"}}),
            "mine.toml:110:1: link.spur.to: a link from a site to itself");
  EXPECT_EQ(error_of("grid", {{"nodes = { value = 8,", "nodes = { value = 17,"}}),
            "mine.toml:88:1: site.midland.nodes: 17 nodes, but network.switch joins 16 at most");
  EXPECT_EQ(error_of("grid", {{"switch_latency =", "switch_latncy ="}}),
            "mine.toml:70:1: network.switch.switch_latncy: unknown key, did you mean 'switch_latency'?");
  EXPECT_EQ(
      error_of("grid", {{"value = 64, unit = \"KiB\"", "value = 1, unit = \"B\""}}),
      "mine.toml:105:1: link.backbone.window: less than 250 bytes a second: it is shorter than a round trip needs");
  EXPECT_EQ(error_of("ideal", {{"[messages]", "[[link]]\nname = 'way'\n[messages]"}}),
            "mine.toml:25:1: link.way: there is no [[site]] that has a use for it");
}

TEST(SitesMistakes, MoreNodesThanThereAre) {
  EXPECT_EQ(error_in(changed("grid", {}), 42), "grid has at most 41 nodes, and 42 are asked for");
}

TEST(SitesMistakes, AKeyOfAnotherTopologyIsMissedOnlyWhenThatIsChosen) {
  const std::vector<Replacement> without_ports{
      {"ports = { value = 64, kind = \"invented\", source = \"made up: as many as the site has nodes\" }\n", ""}};
  EXPECT_NE(error_of("cluster", without_ports).find("network.san.memory_access: unknown key"), std::string::npos)
      << "the library's";
  MachineFile file = rewritten("cluster", without_ports);
  file.set("network.san.topology=crossbar");
  EXPECT_EQ(error_in(file),
            "mine.toml:33:1: network.san.ports: this key is missing: a count, without a unit; to begin with, ports = { "
            "value = "
            "64, kind = \"invented\" }, as cluster has");
}

TEST(NamedTables, HaveKeysThatAreSetByTheirNames) {
  const MachineFile file =
      changed("grid", {"network.mesh.hop_latency=1us", "network.mesh=fluid", "link.spur.window=1 KiB"});
  EXPECT_EQ(file.time("network.mesh.hop_latency"), Time::us(1));
  EXPECT_EQ(file.choice("network.mesh.model", {"wormhole", "fluid"}), "fluid");
  EXPECT_EQ(file.bytes("link.spur.window"), Bytes(1024));
  EXPECT_THROW(changed("grid", {"site.east.node=large computer"}), MachineFileError);
  EXPECT_EQ(file.choices(file.parameter("site.east.node")), (std::vector<std::string>{"single", "smp", "large"}));
}

}  // namespace
}  // namespace hindcast::test
