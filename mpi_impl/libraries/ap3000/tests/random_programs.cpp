// Random programs of MPI's on the message layer of the AP3000.

#include <deque>

#include "mpi_impl/libraries/ap3000/mpi/endpoint.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class Ap3000TestLibrary final : public TestLibrary {
 public:
  Ap3000TestLibrary(Engine& engine, Network& network, const ap3000::SBus& sbus, Bytes system_buffer)
      : controllers_(engine, network, sbus, system_buffer),
        system_(engine, controllers_, costs(), [](int, const std::string&) { std::abort(); }) {}
  bool posts_at_once() const override { return false; }
  Endpoint& add(Rank& rank, int node) override {
    rank.set_progress(Progress::hardware, system_.costs().probe.cost);
    return endpoints_.emplace_back(nodes_.emplace_back(system_, rank, node), settings_, Ap3000GroupOperations::Costs{});
  }

 private:
  static layer::Costs costs() {
    layer::Costs costs;
    costs.send.cost = Time::ns(300);
    costs.receive = FixedStep{{}, Time::ns(400)};
    costs.probe.cost = Time::ns(150);
    costs.copy_out.rate = Rate::per_second(2e9);
    costs.header = Bytes(32);
    costs.all_go_to_buffer = true;
    return costs;
  }
  ap3000::MessageControllers controllers_;
  ap3000::System system_;
  const LayerSettings settings_{{{"MPI's own work", ""}, Time::ns(70)},
                                {},
                                FixedStep{{"MPI's own work", ""}, Time::ns(30)},
                                {{{"copy", ""}, Rate::per_second(2e9)}, {}, {{"clock", ""}, Time::ns(10)}}};
  std::deque<ap3000::Node> nodes_;
  std::deque<Ap3000Endpoint> endpoints_;
};

std::vector<Case> cases() {
  const auto with = [](MemoryPort::Sharing sharing, Bytes system_buffer) {
    return [sharing, system_buffer](Engine& engine, Network& network, int) {
      const ap3000::SBus sbus{Rate::per_second(3e8), sharing, Rate::per_second(1e9)};
      return std::make_unique<Ap3000TestLibrary>(engine, network, sbus, system_buffer);
    };
  };
  const Bytes large(1 << 22);
  return {{.name = "ap3000", .make_library = with(MemoryPort::Sharing::fair, large)},
          {.name = "ap3000_in_turn", .make_library = with(MemoryPort::Sharing::in_turn, large)},
          {.name = "ap3000_tight_buffer",
           .make_library = with(MemoryPort::Sharing::fair, Bytes(24000)),
           .ended_of_12 = 6,
           .why_not_all = "room may be lacking for ever"}};
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
