// Random programs on the plain library, with every kind of progress and both protocols; where each rank has a processor
// of its own, and where ranks take turns.

#include <deque>

#include "mpi_impl/libraries/common/processors_of_nodes.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/transport/matching_endpoint.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class PlainTestLibrary final : public TestLibrary {
 public:
  // Every three ranks have so many processors.
  PlainTestLibrary(Engine& engine, Network& network, Progress progress, int processors, int ranks)
      : progress_(progress),
        processors_(processors),
        shared_(engine, threes(ranks)),
        methods_(methods(network)),
        exchange_(engine, methods_, progress_) {}
  Endpoint& add(Rank& rank, int node) override {
    shared_.add(rank, node / 3, {processors_, Time::ns(900), {{"switch", ""}, Time::ns(60)}});
    rank.set_progress(progress_, costs_.poll.cost);
    return endpoints_.emplace_back(exchange_, rank, Place{node, 0}, costs_);
  }

 private:
  static std::vector<int> threes(int ranks) {
    std::vector<int> places;
    for (int rank = 0; rank < ranks; ++rank) places.push_back(rank / 3);
    return places;
  }
  static Methods methods(Network& network) {
    MethodCosts costs;
    costs.send = {{"send", ""}, Time::ns(300)};
    costs.receive = {{"receive", ""}, Time::ns(400)};
    costs.service = {{"service", ""}, Time::ns(220)};
    costs.eager_limit = Bytes(1000);
    costs.header = Bytes(32);
    Methods all;
    const Method& method = all.add({"", costs, &network});
    for (const Distance distance : {Distance::node, Distance::site}) all.use(method, distance, 0, Methods::any_length);
    return all;
  }
  const EndpointCosts costs_{.local = {.copy = {{"copy", ""}, Rate::per_second(2e9)},
                                       .combine = {},
                                       .clock_read = {{"clock", ""}, Time::ns(10)}},
                             .copy_in = {"copy in", ""},
                             .copy_out = {"copy out", ""},
                             .poll = {{"poll", ""}, Time::ns(150)}};
  const Progress progress_;
  const int processors_;
  ProcessorsOfNodes shared_;
  const Methods methods_;
  MessageExchange exchange_;
  std::deque<MatchingEndpoint> endpoints_;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, Progress progress, int processors = 3) {
    const auto make = [=](Engine& engine, Network& network, int ranks) {
      return std::make_unique<PlainTestLibrary>(engine, network, progress, processors, ranks);
    };
    all.push_back({.name = name, .make_library = make});
    all.push_back({.name = name + "_fluid", .network = NetworkKind::fluid, .make_library = make});
  };
  add("hardware", Progress::hardware);
  add("interrupt", Progress::interrupt);
  add("polling", Progress::polling);
  for (const int processors : {1, 2}) {
    const std::string of_three = "_on_" + std::to_string(processors) + "_of_3";
    add("hardware" + of_three, Progress::hardware, processors);
    add("interrupt" + of_three, Progress::interrupt, processors);
    add("polling" + of_three, Progress::polling, processors);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
