// Random programs of MPI's on NX.

#include <deque>

#include "mpi_impl/libraries/common/message_layer/mpi/endpoint.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/libraries/nx/native/node.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class NxTestLibrary final : public TestLibrary {
 public:
  NxTestLibrary(Engine& engine, Network& network)
      : system_(engine, network, costs(), [](int, const std::string&) { std::abort(); }) {}
  bool posts_at_once() const override { return false; }
  Endpoint& add(Rank& rank, int node) override {
    rank.set_progress(Progress::hardware, system_.costs().probe.cost);
    return endpoints_.emplace_back(nodes_.emplace_back(system_, rank, node, context_of_gsync_), settings_);
  }

 private:
  static layer::Costs costs() {
    layer::Costs costs;
    costs.send.cost = Time::ns(300);
    costs.post = FixedStep{{}, Time::ns(400)};
    costs.probe.cost = Time::ns(150);
    costs.copy_out.rate = Rate::per_second(2e9);
    costs.header = Bytes(32);
    return costs;
  }
  layer::System system_;
  const std::uint32_t context_of_gsync_ = system_.new_context();
  static constexpr FixedStep own{{"MPI's own work", ""}, Time::ns(70)};
  const LayerSettings settings_{
      own, own, {}, {{{"copy", ""}, Rate::per_second(2e9)}, {}, {{"clock", ""}, Time::ns(10)}}};
  std::deque<nx::Node> nodes_;
  std::deque<LayerEndpoint> endpoints_;
};

std::vector<Case> cases() {
  const auto make = [](Engine& engine, Network& network, int) {
    return std::make_unique<NxTestLibrary>(engine, network);
  };
  return {{.name = "nx", .make_library = make},
          {.name = "nx_fluid", .network = NetworkKind::fluid, .make_library = make}};
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
