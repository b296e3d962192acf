// Random programs on two ranks a node, whose messages ride with their header, pass through the library's buffers or lie
// in global memory at one end or both.

#include <deque>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/transport/matching_endpoint.hpp"
#include "simulator/hardware/node/node_memories.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

// Of two buffers about one.
class EveryOther final : public ReachableMemory {
 public:
  bool reaches(const void*, Bytes bytes) const override { return bytes.count() % 2 == 0; }
};

class EsTestLibrary final : public TestLibrary {
 public:
  EsTestLibrary(Engine& engine, Network& network, int ranks, Progress progress)
      : memories_(engine), progress_(progress), methods_(methods(network)), exchange_(engine, methods_, progress) {
    const NodeMemories::Kind kind{Rate::per_second(4e9),
                                  MemoryPort::Sharing::fair,
                                  Rate::per_second(2e9),
                                  {{"seen", ""}, Time::ns(70)},
                                  {"moved", ""}};
    for (int node = 0; node <= ranks / 2; ++node) memories_.add(node, kind);
  }
  Endpoint& add(Rank& rank, int) override {
    const int node = rank.id / 2;
    rank.set_progress(progress_, Time::ns(150));
    const LocalCosts local{{{"copy", ""}, Rate::per_second(2e9)}, {}, {{"clock", ""}, Time::ns(10)}};
    costs_.push_back({local, {"copy in", ""}, {"copy out", ""}, {{"poll", ""}, Time::ns(150)}});
    costs_.back().local.memory = &memories_.port(node);
    return endpoints_.emplace_back(exchange_, rank, Place{node, 0}, costs_.back());
  }

 private:
  Methods methods(Network& network) {
    inside_ = {&reachable_, Bytes(400), {{"set up", ""}, Time::ns(1700)}, false};
    between_ = inside_;
    between_.sender_sets_up = true;
    MethodCosts costs;
    costs.send = {{"send", ""}, Time::ns(300)};
    costs.receive = {{"receive", ""}, Time::ns(400)};
    costs.service = {{"service", ""}, Time::ns(220)};
    costs.eager_limit = Bytes(100);
    costs.header = Bytes(32);
    costs.buffers = &between_;
    Methods all;
    all.use(all.add({"between", costs, &network}), Distance::site, 0, Methods::any_length);
    costs.leaves_payload_to_processors = true;
    costs.buffers = &inside_;
    all.use(all.add({"inside", costs, &memories_}), Distance::node, 0, Methods::any_length);
    return all;
  }

  NodeMemories memories_;
  const EveryOther reachable_;
  LibraryBuffers inside_;
  LibraryBuffers between_;
  const Progress progress_;
  const Methods methods_;
  MessageExchange exchange_;
  std::deque<EndpointCosts> costs_;
  std::deque<MatchingEndpoint> endpoints_;
};

std::vector<Case> cases_of_es() {
  const auto with = [](Progress progress) {
    return [progress](Engine& engine, Network& network, int ranks) {
      return std::make_unique<EsTestLibrary>(engine, network, ranks, progress);
    };
  };
  return {{.name = "polling", .make_library = with(Progress::polling)},
          {.name = "hardware", .make_library = with(Progress::hardware)}};
}

INSTANTIATE_TEST_SUITE_P(EsEndpoints, RandomPrograms, testing::ValuesIn(cases_of_es()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
