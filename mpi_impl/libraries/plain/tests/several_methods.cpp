// Random programs whose messages take three ways at once: through the memory of a node, over a site's networks, of
// which one is quick and takes short messages only, and over a wide area.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/transport/matching_endpoint.hpp"
#include "simulator/hardware/node/node_memories.hpp"
#include "tests/support/test_network.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

// Counts what it hands on.
class Counted final : public Network {
 public:
  explicit Counted(Network& network) : network_(network) {}
  void submit(Transfer& transfer) override {
    ++count;
    network_.submit(transfer);
  }
  Time latency(int from, int to) override { return network_.latency(from, to); }
  int count = 0;

 private:
  Network& network_;
};

constexpr int nodes = 4;

// The first four ranks have a neighbour on the node, at the site, and at the other site.
Place place_of(int rank) {
  constexpr int node_of_rank[] = {0, 0, 1, 2, 2, 1, 3, 3, 0, 2};
  const int node = node_of_rank[rank];
  return {node, node / 2};
}

constexpr std::uint64_t quick_bytes_max = 60;

// Some message takes each of the ways.
bool takes_every_way(const Plan& plan) {
  bool taken[4] = {};
  for (const PlannedMessage& message : plan.messages) {
    if (message.from == message.to || message.may_be_cancelled) continue;
    const Distance distance = distance_between(place_of(message.from), place_of(message.to));
    const int at_site = message.bytes <= quick_bytes_max ? 1 : 2;
    taken[distance == Distance::node ? 0 : distance == Distance::site ? at_site : 3] = true;
  }
  return std::all_of(std::begin(taken), std::end(taken), [](bool one) { return one; });
}

class SeveralMethods final : public TestLibrary {
 public:
  SeveralMethods(Engine& engine, Network& network, Progress progress, MemoryPort::Sharing sharing)
      : memories_(engine),
        slow_(engine, nodes, Time::us(3)),
        wide_(engine, nodes, Time::us(20)),
        networks_{Counted(memories_), Counted(network), Counted(slow_), Counted(wide_)},
        progress_(progress),
        methods_(methods(networks_)),
        exchange_(engine, methods_, progress_) {
    const NodeMemories::Kind kind{
        Rate::per_second(1e9), sharing, Rate::per_second(5e8), {{"seen", ""}, Time::ns(70)}, {"moved", ""}};
    for (int node = 0; node < nodes; ++node) memories_.add(node, kind);
  }

  Endpoint& add(Rank& rank, int) override {
    rank.set_progress(progress_, Time::ns(150));
    const Place place = place_of(rank.id);
    const LocalCosts local{
        {{"copy", ""}, Rate::per_second(7e8)}, {}, {{"clock", ""}, Time::ns(10)}, &memories_.port(place.node)};
    costs_.push_back({local, {"copy in", ""}, {"copy out", ""}, {{"poll", ""}, Time::ns(150)}});
    return endpoints_.emplace_back(exchange_, rank, place, costs_.back());
  }

  void end() override {
    for (const Counted& network : networks_) EXPECT_GT(network.count, 0) << &network - networks_;
  }

 private:
  static Methods methods(Counted* networks) {
    MethodCosts costs;
    costs.send = {{"send", ""}, Time::ns(300)};
    costs.receive = {{"receive", ""}, Time::ns(400)};
    costs.service = {{"service", ""}, Time::ns(220)};
    costs.eager_limit = Bytes(1000);
    costs.header = Bytes(32);
    MethodCosts by_memory = costs;
    by_memory.leaves_payload_to_processors = true;
    Methods all;
    const Method& memory = all.add({"memory", by_memory, &networks[0]});
    const Method& quick = all.add({"quick", costs, &networks[1]});
    const Method& slow = all.add({"slow", costs, &networks[2]});
    const Method& wide = all.add({"wide", costs, &networks[3]});
    for (int site = 0; site < 2; ++site) {
      all.use(memory, Distance::node, site, Methods::any_length);
      all.use(quick, Distance::site, site, Bytes(quick_bytes_max));
      all.use(slow, Distance::site, site, Methods::any_length);
      all.use(wide, Distance::sites, site, Methods::any_length);
    }
    return all;
  }

  NodeMemories memories_;
  test::TestNetwork slow_;
  test::TestNetwork wide_;
  Counted networks_[4];
  std::deque<EndpointCosts> costs_;
  const Progress progress_;
  const Methods methods_;
  MessageExchange exchange_;
  std::deque<MatchingEndpoint> endpoints_;
};

std::vector<Case> cases_of_several_methods() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, Progress progress, MemoryPort::Sharing sharing) {
    const auto make = [=](Engine& engine, Network& network, int) {
      return std::make_unique<SeveralMethods>(engine, network, progress, sharing);
    };
    all.push_back({.name = name, .make_library = make, .ranks_min = 6, .suits = takes_every_way});
  };
  add("hardware_in_turn", Progress::hardware, MemoryPort::Sharing::in_turn);
  add("interrupt_in_turn", Progress::interrupt, MemoryPort::Sharing::in_turn);
  add("polling_in_turn", Progress::polling, MemoryPort::Sharing::in_turn);
  add("hardware_fair", Progress::hardware, MemoryPort::Sharing::fair);
  add("interrupt_fair", Progress::interrupt, MemoryPort::Sharing::fair);
  add("polling_fair", Progress::polling, MemoryPort::Sharing::fair);
  return all;
}

INSTANTIATE_TEST_SUITE_P(SeveralMethods, RandomPrograms, testing::ValuesIn(cases_of_several_methods()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
