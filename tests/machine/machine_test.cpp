#include "simulator/machine/machine.hpp"
#include "mpi_impl/libraries/common/library.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "simulator/engine/rank.hpp"
#include "simulator/hardware/network/torus_routes.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/platform_xml.hpp"
#include "tests/machine/changed_machine.hpp"

namespace sg = simgrid::s4u;

namespace hindcast {
namespace {

using test::Route;
using test::route_to;

MachineFile ideal(const std::vector<std::string>& settings = {}) { return test::changed("ideal", settings); }

PartsBesideNetwork parts_of(const MachineFile& file) { return library_of(file).parts_for(file); }

PartsBesideNetwork with_front_end(const MachineFile& file) {
  PartsBesideNetwork parts = parts_of(file);
  parts.with_front_end = true;
  return parts;
}

// The links that the network reserves, by SimGrid's names.
Route expected_route(const TorusRoutes& routes, int from, int to) {
  Route route;
  routes.for_each_link(routes.route(from, to), [&](int index) {
    const TorusRoutes::Link link = routes.link(index);
    const int upper = routes.upper_neighbour(link.owner, link.dimension);
    route.links.push_back("ideal_link_from_" + std::to_string(link.owner) + "_to_" + std::to_string(upper) +
                          (link.down ? "_DOWN" : "_UP"));
    route.latency += 100e-9;
  });
  return route;
}

class RoutesOf : public testing::TestWithParam<std::string> {
 protected:
  const MachineFile file = ideal({"network.dimensions=" + GetParam(), "network.injection_latency=30 ns"});
  const TorusRoutes routes{*file.extents("network.dimensions", {})};
};

TEST_P(RoutesOf, ThePlatformAreTheNetworks) {
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, routes.nodes());
  for (int from = 0; from < routes.nodes(); ++from)
    for (int to = 0; to < routes.nodes(); ++to) {
      Route expected = expected_route(routes, from, to);
      expected.links.insert(expected.links.begin(), "ideal_port_" + std::to_string(from) + "_UP");
      expected.links.push_back("ideal_port_" + std::to_string(to) + "_DOWN");
      const Route route = route_to(machine->node_name(from), machine->node_name(to));
      ASSERT_EQ(route.links, expected.links);
      ASSERT_NEAR(route.latency, expected.latency + 30e-9, 1e-15);
    }
}

TEST_P(RoutesOf, TheExportedFileInPlainSimGridAreTheNetworks) {
  const std::string path = testing::TempDir() + "hindcast-" + GetParam() + "-" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << platform_xml(file, routes.nodes());
  sg::Engine engine("plain");
  engine.load_platform(path);
  std::remove(path.c_str());
  ASSERT_EQ(engine.get_host_count(), static_cast<std::size_t>(routes.nodes()));
  for (int from = 0; from < routes.nodes(); ++from)
    for (int to = 0; to < routes.nodes(); ++to) {
      if (from == to) continue;
      const Route expected = expected_route(routes, from, to);
      const Route route = route_to("ideal-" + std::to_string(from), "ideal-" + std::to_string(to));
      ASSERT_EQ(route.links, expected.links);
      ASSERT_NEAR(route.latency, expected.latency, 1e-15);
    }
  ASSERT_EQ(route_to("ideal-0", "ideal-0").links.size(), 1U);
  if (routes.nodes() > 1) {
    const auto* link = sg::Link::by_name("ideal_link_from_0_to_1_UP");
    EXPECT_EQ(link->get_bandwidth(), 3e8);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RoutesOf, testing::Values("2x1", "2x2", "8", "5x3", "4x4", "8x4", "4x3x2", "3x2x2x2"),
                         [](const auto& shape) { return "torus_" + shape.param; });

// One transfer, and when it arrives.
class OneTransfer final : public TransferSink, public EventSink {
 public:
  OneTransfer(Engine& engine, Machine& machine, int from, int to)
      : engine_(engine), network_(machine.network()), owner_(engine.new_owner()) {
    transfer_.from = from;
    transfer_.to = to;
    transfer_.bytes = Bytes(3000);
    transfer_.sink = this;
    engine.at(Time(), EventKind::act, owner_, *this, 0);
    engine.start_thread(engine.add_rank(machine.node_name(from)), [] {
      Thread::current()->charge(Time::us(1'000'000));
      Thread::current()->settle();
    });
    engine.run([](Ending) { std::abort(); });
  }
  Time arrival;

 private:
  void fire(const Event&) override { network_.submit(transfer_); }
  void entered(Transfer&) override {}
  void arrived(Transfer&) override { arrival = engine_.now(); }

  Engine& engine_;
  Network& network_;
  EventOwner owner_;
  Transfer transfer_;
};

TEST(Machine, ATransferTakesWhatTheFileSays) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal({"network.injection_latency=30 ns"});
  const auto machine = Machine::build(engine, file, 64, parts_of(file));
  EXPECT_EQ(OneTransfer(engine, *machine, 0, 2).arrival, Time::ns(30 + 2 * 100 + 10000));
}

TEST(Machine, TheBandwidthOfOneLinkOfThePlatformChangesTheTime) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal();
  const auto machine = Machine::build(engine, file, 64, parts_of(file));
  std::vector<sg::Link*> links;
  double latency = 0;
  sg::Host::by_name("ideal-0")->route_to(sg::Host::by_name("ideal-2"), links, &latency);
  ASSERT_EQ(links.size(), 4U);
  links[2]->set_bandwidth(1e8);
  EXPECT_EQ(OneTransfer(engine, *machine, 0, 2).arrival, Time::ns(2 * 100 + 30000));
}

TEST(Machine, TheLatencyOfOneLinkOfThePlatformChangesTheTime) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal();
  const auto machine = Machine::build(engine, file, 64, parts_of(file));
  std::vector<sg::Link*> links;
  double latency = 0;
  sg::Host::by_name("ideal-0")->route_to(sg::Host::by_name("ideal-1"), links, &latency);
  links[1]->set_latency(2e-6);
  EXPECT_EQ(OneTransfer(engine, *machine, 0, 2).arrival, Time::ns(2000 + 100 + 10000));
}

TEST(Machine, BuildsHostsForTheNodesUsedOnly) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal({"network.dimensions=1024x1024"});
  const auto machine = Machine::build(engine, file, 3, parts_of(file));
  EXPECT_EQ(machine->nodes(), 1 << 20);
  EXPECT_EQ(sg::Engine::get_instance()->get_host_count(), 3U);
  EXPECT_NE(sg::Host::by_name_or_null("ideal-2"), nullptr);
  EXPECT_EQ(sg::Host::by_name("ideal-0")->get_speed(), 5e8);
}

TEST(Machine, KnowsItsProcessor) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal({"processor.copy_bandwidth=100 MB/s"});
  const auto machine = Machine::build(engine, file, 2);
  EXPECT_EQ(machine->processor().copy(Bytes(100)), Time::us(1));
  EXPECT_EQ(machine->processor().compute(500), Time::us(1));
  EXPECT_EQ(machine->processor().touch(Bytes(800)), Time::us(1));
  EXPECT_EQ(machine->processor().combine(200), Time::us(1));
  EXPECT_EQ(machine->processor().poll, Time::ns(200));
}

std::string build_error(const std::vector<std::string>& settings, int nodes) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal(settings);
  try {
    Machine::build(engine, file, nodes);
  } catch (const MachineFileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MachineMistakes, MoreNodesThanThereAre) {
  EXPECT_EQ(build_error({}, 1048577), "ideal has at most 1048576 nodes, and 1048577 are asked for");
}

TEST(MachineMistakes, MoreNodesThanTheDimensionsHave) {
  EXPECT_EQ(build_error({"network.dimensions=4x4"}, 17), "ideal has at most 16 nodes, and 17 are asked for");
}

TEST(MachineMistakes, APollThatCostsNothing) {
  EXPECT_EQ(build_error({"processor.poll=0"}, 2),
            "--set processor.poll=0: must be more than 0, or a polling loop would never advance the clock");
}

TEST(MachineMistakes, TooManyDimensions) {
  EXPECT_EQ(build_error({"network.dimensions=2x2x2x2x2"}, 2),
            "--set network.dimensions=2x2x2x2x2: a torus has 1 to 4 dimensions");
}

std::string set_error(MachineFile file) {
  try {
    file.set("qqqqqq=3");
  } catch (const MachineFileError& error) {
    return error.what();
  }
  return "no error";
}

std::string search_error(const std::string& name) {
  try {
    load_machine(name);
  } catch (const MachineFileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MachineSearch, NamesTheNearestMachine) {
  EXPECT_EQ(search_error("idael"), "unknown machine 'idael', did you mean 'ideal'? ('hindcast machines' lists them)");
  EXPECT_EQ(search_error("xyzzy"), "unknown machine 'xyzzy' ('hindcast machines' lists them)");
}

TEST(MachineSearch, LooksWhereTheEnvironmentSays) {
  const std::string directory = testing::TempDir();
  const std::string name = "hindcast-test-" + std::to_string(getpid());
  const std::string path = directory + "/" + name + ".toml";
  std::ofstream(path) << "[machine]\nname = 'test'\ndescription = 'd'\n";
  setenv("HINDCAST_PLATFORMS", ("/nowhere:" + directory).c_str(), 1);
  EXPECT_EQ(load_machine(name).description(), "d");
  EXPECT_EQ(load_machine(path).name(), "test");
  EXPECT_EQ(load_machine("ideal").name(), "ideal");
  std::remove(path.c_str());
}

TEST(MachineSearch, KnowsWhatTheUserCallsTheMachine) {
  const std::string path = testing::TempDir() + "/hindcast-own-" + std::to_string(getpid()) + ".toml";
  std::ofstream(path) << "[machine]\nname = 'test'\ndescription = 'd'\n";
  EXPECT_EQ(set_error(load_machine(path)), "--set qqqqqq=3: unknown key; 'hindcast show " + path + "' lists them");
  EXPECT_EQ(set_error(load_machine("ideal")), "--set qqqqqq=3: unknown key; 'hindcast show ideal' lists them");
  std::remove(path.c_str());
}

class PlatformFiles : public testing::TestWithParam<std::string> {};

TEST_P(PlatformFiles, AreThoseThatTheMachinesGive) {
  const MachineFile file = load_machine(GetParam());
  std::ifstream stream(file.path().substr(0, file.path().size() - 4) + "xml");
  std::ostringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(text.str(), platform_xml(file, node_range(file).usual, parts_of(file)));
}

INSTANTIATE_TEST_SUITE_P(Machines, PlatformFiles,
                         testing::Values("ideal", "ap1000", "t3d", "t3e-900", "cluster", "grid"),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The torus that a machine is for so many nodes.
TorusRoutes torus_of(const MachineFile& file, int nodes) {
  const std::string xml = platform_xml(file, nodes, parts_of(file));
  const std::string before = "topo_parameters=\"";
  const std::size_t found = xml.find(before);
  if (found == std::string::npos) throw std::logic_error(xml);
  const std::size_t begin = found + before.size();
  std::istringstream text(xml.substr(begin, xml.find('"', begin) - begin));
  std::vector<std::int64_t> extents;
  for (std::string extent; std::getline(text, extent, ',');) extents.push_back(std::stoi(extent));
  return TorusRoutes(extents);
}

TEST(T3e, IsACubeAtLeastAsLargeAsUsual) {
  const MachineFile file = load_machine("t3e-900");
  EXPECT_EQ(node_range(file).most, 2048);
  const auto extents = [&](int nodes) {
    const TorusRoutes routes = torus_of(file, nodes);
    return std::vector{routes.extent(0), routes.extent(1), routes.extent(2)};
  };
  EXPECT_EQ(extents(1), (std::vector{8, 8, 8}));
  EXPECT_EQ(extents(512), (std::vector{8, 8, 8}));
  EXPECT_EQ(extents(513), (std::vector{8, 8, 16}));
  EXPECT_EQ(extents(2048), (std::vector{8, 16, 16}));
  EXPECT_THROW(torus_of(file, 2049), MachineFileError);
}

TEST(T3e, HasABarrierTreeWhoseLevelIsALinkOfThePlatform) {
  Engine engine(EngineOptions{});
  const MachineFile file = load_machine("t3e-900");
  const auto machine = Machine::build(engine, file, 64, parts_of(file));
  ASSERT_NE(sg::Link::by_name_or_null("t3e-900_barrier"), nullptr);
  EXPECT_NEAR(sg::Link::by_name("t3e-900_barrier")->get_latency(), file.time("barrier.latency").in_seconds(), 1e-15);
  EXPECT_EQ(machine->build_barrier_tree("barrier", 64)->leaves(), 64);
}

TEST(Ap1000, IsATorusOfPowersOfTwoAtLeastAsLargeAsUsual) {
  const MachineFile file = load_machine("ap1000");
  EXPECT_EQ(node_range(file).most, 1024);
  const auto shape = [&](int nodes) {
    const TorusRoutes routes = torus_of(file, nodes);
    return std::pair(routes.extent(0), routes.extent(1));
  };
  EXPECT_EQ(shape(1), std::pair(8, 16));
  EXPECT_EQ(shape(128), std::pair(8, 16));
  EXPECT_EQ(shape(129), std::pair(16, 16));
  EXPECT_EQ(shape(257), std::pair(16, 32));
  EXPECT_EQ(shape(1024), std::pair(32, 32));
  EXPECT_THROW(torus_of(file, 1025), MachineFileError);
}

// --- a computer beside the nodes ---

void expect_way_between(const std::string& node) {
  for (const auto& [from, to] : {std::pair(node, std::string("ap1000-host")), {"ap1000-host", node}}) {
    Route route = route_to(from, to);
    std::sort(route.links.begin(), route.links.end());
    EXPECT_EQ(route.links, (std::vector<std::string>{"ap1000_bnet", "ap1000_host_line"})) << from << " to " << to;
    EXPECT_NEAR(route.latency, 1.2e-6, 1e-15);
  }
}

TEST(HostOfMachine, IsReachedOverTheBroadcastNetAndItsLine) {
  Engine engine(EngineOptions{});
  const MachineFile file = load_machine("ap1000");
  const auto machine = Machine::build(engine, file, 3, with_front_end(file));
  EXPECT_TRUE(machine->has_front_end());
  EXPECT_EQ(machine->front_end_node(), 128);
  EXPECT_EQ(machine->node_name(machine->front_end_node()), "ap1000-host");
  for (int node = 0; node < 3; ++node) expect_way_between(machine->node_name(node));
  EXPECT_EQ(route_to("ap1000-0", "ap1000-1").links.size(), 3U) << "a port, a link and a port";
  EXPECT_EQ(sg::Link::by_name("ap1000_host_line")->get_bandwidth(), 5e6);
}

TEST(HostOfMachine, IsNotThereUnlessItIsWanted) {
  Engine engine(EngineOptions{});
  const MachineFile file = load_machine("ap1000");
  const auto machine = Machine::build(engine, file, 3, parts_of(file));
  EXPECT_FALSE(machine->has_front_end());
  EXPECT_EQ(sg::Host::by_name_or_null("ap1000-host"), nullptr);
  EXPECT_EQ(sg::Link::by_name_or_null("ap1000_host_line"), nullptr);
}

TEST(HostOfMachine, IsInTheExportedFile) {
  const MachineFile file = load_machine("ap1000");
  const std::string path = testing::TempDir() + "hindcast-host-" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << platform_xml(file, 128, with_front_end(file));
  sg::Engine engine("plain");
  engine.load_platform(path);
  std::remove(path.c_str());
  EXPECT_EQ(engine.get_host_count(), 129U);
  expect_way_between("ap1000-0");
  EXPECT_EQ(route_to("ap1000-2", "ap1000-host").links.size(), 2U + 2U) << "by node 0";
  EXPECT_EQ(route_to("ap1000-0", "ap1000-1").links.size(), 1U);
}

TEST(MachineMistakes, AHostThatIsNotThere) {
  Engine engine(EngineOptions{});
  const MachineFile file = ideal();
  EXPECT_THROW(Machine::build(engine, file, 2, PartsBesideNetwork{.with_front_end = true}), MachineFileError);
}

}  // namespace
}  // namespace hindcast
