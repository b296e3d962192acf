// platforms/cluster.toml with each of its topologies: times of transfers to the picosecond, what the platform's routes
// are, and what plain SimGrid makes of the exported file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "simulator/machine/machine.hpp"
#include "simulator/machine/platform_xml.hpp"
#include "tests/machine/changed_machine.hpp"
#include "tests/machine/machine_run.hpp"
#include "tests/support/in_child.hpp"

namespace sg = simgrid::s4u;

namespace hindcast::test {
namespace {

// 8 nodes; ports of 100 MB/s, which is 10 ns a byte, with 500 ns; links of 160 MB/s with 300 ns.
MachineFile cluster(const std::string& topology, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> all{"site.hall.nodes=8",          "network.san.topology=" + topology,
                               "network.san.dimensions=4x2", "network.san.down_links=2x4",
                               "network.san.up_links=1x2",   "network.san.ports=8"};
  all.insert(all.end(), settings.begin(), settings.end());
  return changed("cluster", all);
}

TEST(Topologies, TimesOfATorus) {
  const auto sent = run_on(cluster("torus"), {{Time(), 0, 2, 1000}, {Time::us(100), 0, 7, 1000}});
  EXPECT_EQ(sent[0].injected, Time::us(10));
  EXPECT_EQ(sent[0].arrived, Time::ns(500 + 2 * 300 + 10'000));
  EXPECT_EQ(sent[1].arrived, Time::ns(100'000 + 500 + 2 * 300 + 10'000));
}

TEST(Topologies, TimesOfACrossbar) {
  const auto sent = run_on(cluster("crossbar"), {{Time(), 0, 2, 1000}, {Time(), 7, 2, 1000}});
  EXPECT_EQ(sent[0].arrived, Time::ns(500 + 400 + 10'000));
  EXPECT_EQ(sent[1].arrived, Time::ns(500 + 400 + 20'000));
}

TEST(Topologies, TimesOfAFatTree) {
  const auto sent = run_on(cluster("fat tree"), {{Time(), 0, 1, 1000}, {Time::us(100), 0, 7, 1000}});
  EXPECT_EQ(sent[0].arrived, Time::ns(500 + 2 * 300 + 10'000));
  EXPECT_EQ(sent[1].arrived, Time::ns(100'000 + 500 + 4 * 300 + 10'000));
}

TEST(Topologies, AreFluidWithTheSameTimesWhenNothingIsInTheWay) {
  const std::vector<Sent> sent{{Time(), 0, 1, 1000}, {Time::us(100), 0, 7, 1000}, {Time::us(200), 3, 3, 1000}};
  for (const std::string topology : {"torus", "crossbar", "fat tree"}) {
    const auto wormhole = run_on(cluster(topology), sent);
    const auto fluid = run_on(cluster(topology, {"network.san=fluid"}), sent);
    for (std::size_t i = 0; i < sent.size(); ++i)
      EXPECT_NEAR(static_cast<double>((fluid[i].arrived - wormhole[i].arrived).in_ps()), 0.5, 1.0) << topology;
  }
}

class RoutesOfTopology : public testing::TestWithParam<std::string> {
 protected:
  const MachineFile file = cluster(GetParam());
};

// Those of the network, which its latency tells, between the nodes' ports.
TEST_P(RoutesOfTopology, InThePlatformAreTheNetworks) {
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, 8);
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to) {
      const Route route = route_to(machine->node_name(from), machine->node_name(to));
      ASSERT_GE(route.links.size(), 2U);
      EXPECT_EQ(route.links.front(), fmt::format("cluster_port_{}_UP", from));
      EXPECT_EQ(route.links.back(), fmt::format("cluster_port_{}_DOWN", to));
      EXPECT_EQ(Time::from_seconds(route.latency), machine->network().latency(from, to));
    }
}

// A line for each pair: latency in picoseconds, and the links.
std::string shown_routes() {
  std::string text;
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to) {
      const Route route = route_to(fmt::format("cluster-{}", from), fmt::format("cluster-{}", to));
      text += fmt::format("{} {}\n", Time::from_seconds(route.latency).in_ps(), fmt::join(route.links, " "));
    }
  return text;
}

std::vector<Route> read_routes(const std::string& text) {
  std::vector<Route> routes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Route& route = routes.emplace_back();
    words >> route.latency;
    for (std::string link; words >> link;) route.links.push_back(link);
  }
  return routes;
}

std::string routes_of_machine(const MachineFile& file) {
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, 8);
  return shown_routes();
}

std::string routes_of_exported_file(const MachineFile& file) {
  const std::string path = testing::TempDir() + "hindcast-topology-" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << platform_xml(file, 8);
  sg::Engine engine("plain");
  engine.load_platform(path);
  std::remove(path.c_str());
  return shown_routes();
}

// SimGrid's networks have no ports: a crossbar's is a cluster of links to a backbone. Names differ, but each name of a
// link is always the same name of the other's.
TEST_P(RoutesOfTopology, InTheExportedFileAreTheNetworks) {
  const auto ours = read_routes(text_from_child([&] { return routes_of_machine(file); }));
  const auto theirs = read_routes(text_from_child([&] { return routes_of_exported_file(file); }));
  ASSERT_EQ(ours.size(), 64U);
  ASSERT_EQ(theirs.size(), 64U);
  const bool is_crossbar = GetParam() == "crossbar";
  std::map<std::string, std::string> theirs_of, ours_of;
  for (std::size_t pair = 0; pair < 64; ++pair) {
    if (pair / 8 == pair % 8) continue;
    std::vector<std::string> links = ours[pair].links;
    if (is_crossbar)
      links.insert(links.begin() + 1, "the switch");
    else
      links = {links.begin() + 1, links.end() - 1};
    EXPECT_EQ(ours[pair].latency, theirs[pair].latency + (is_crossbar ? 0 : 500e3));
    ASSERT_EQ(links.size(), theirs[pair].links.size()) << pair / 8 << " to " << pair % 8;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::string& other = theirs[pair].links[i];
      EXPECT_EQ(theirs_of.try_emplace(links[i], other).first->second, other);
      EXPECT_EQ(ours_of.try_emplace(other, links[i]).first->second, links[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RoutesOfTopology, testing::Values("torus", "crossbar", "fat tree"),
                         [](const auto& info) { return info.param == "fat tree" ? "fat_tree" : info.param; });

TEST(Topologies, StepsOfANetworkNameItsOwnKeys) {
  struct Keys final : Recorder {
    void on_thread(const Thread&, const Step&) override {}
    void in_hardware(int node, const Step& step) override {
      told.push_back(fmt::format("{}: {} ({}) {}", node, step.kind->name, step.kind->parameter,
                                 (step.end - step.begin).in_ps() / 1000));
    }
    void put_off(const Thread&, const Postponement&) override {}
    std::vector<std::string> told;
  } keys;
  const MachineFile file = changed("grid", {"link.backbone.latency=5 us", "link.backbone.bandwidth=100 MB/s"});
  Engine engine(EngineOptions{});
  engine.set_recorder(&keys);
  const auto machine = Machine::build(engine, file, 40);
  std::vector<Sent> in_east{{Time(), 0, 1, 1000}}, in_midland{{Time::us(100), 32, 39, 1000}},
      between{{Time::us(200), 1, 33, 1000}};
  const Traffic torus(engine, *machine->network_of_site(0), in_east, {});
  const Traffic crossbar(engine, *machine->network_of_site(1), in_midland, {});
  const Traffic wide_area(engine, *machine->wide_area(), between, {});
  engine.start_thread(engine.add_rank(machine->node_name(0)), [] {
    Thread::current()->charge(Time::us(1'000'000));
    Thread::current()->settle();
  });
  engine.run([](Ending) { std::abort(); });
  EXPECT_EQ(keys.told, (std::vector<std::string>{
                           "0: way into the network (network.mesh.injection_latency) 100",
                           "0: hops (network.mesh.hop_latency) 50",
                           "1: bytes through the port (network.mesh.injection_bandwidth) 5000",
                           "32: way into the network (network.switch.injection_latency) 500",
                           "39: way out of the network (network.switch.switch_latency) 500",
                           "39: bytes through the port (network.switch.injection_bandwidth) 10000",
                           "1: bytes in a flow (link.backbone.bandwidth) 10000",
                           "1: latency of the path (link.backbone.latency) 5000",
                       }));
}

}  // namespace
}  // namespace hindcast::test
