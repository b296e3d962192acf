// Random programs of MPI's on MPICH's device, by the channel on MPL.

#include <deque>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/libraries/mpich/mpi/endpoint.hpp"
#include "mpi_impl/libraries/mpich/mpi/mpl_channel.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class MpichTestLibrary final : public TestLibrary {
 public:
  MpichTestLibrary(Engine& engine, Network& network, Bytes in_one_max)
      : system_(engine, network, costs(), [](int, const std::string&) { std::abort(); }),
        settings_(settings(in_one_max)),
        contexts_{system_.new_context(), system_.new_context()} {}
  Endpoint& add(Rank& rank, int node) override {
    rank.set_progress(Progress::hardware, system_.costs().status.cost);
    mpl::Node& native = native_.emplace_back(system_, rank, node);
    nodes_.push_back(&native);
    return endpoints_.emplace_back(rank, channels_.emplace_back(native, nodes_, contexts_, Bytes(24)), settings_);
  }

 private:
  static mpl::Costs costs() {
    mpl::Costs costs;
    costs.send.cost = Time::ns(300);
    costs.long_set_up.cost = Time::ns(100);
    costs.post.cost = Time::ns(50);
    costs.receive.cost = Time::ns(400);
    costs.status.cost = Time::ns(150);
    costs.copy_out.rate = Rate::per_second(2e9);
    costs.short_max = Bytes(200);
    costs.header = Bytes(32);
    return costs;
  }
  static MpichSettings settings(Bytes in_one_max) {
    MpichSettings settings;
    settings.send.cost = Time::ns(70);
    settings.receive.cost = Time::ns(30);
    settings.in_one_max = in_one_max;
    settings.local = {{{"copy", ""}, Rate::per_second(2e9)}, {}, {{"clock", ""}, Time::ns(10)}};
    return settings;
  }

  mpl::System system_;
  const MpichSettings settings_;
  const MplChannel::Contexts contexts_;
  std::deque<mpl::Node> native_;
  std::vector<mpl::Node*> nodes_;
  std::deque<MplChannel> channels_;
  std::deque<MpichEndpoint> endpoints_;
};

std::vector<Case> cases() {
  const auto up_to = [](std::uint64_t bytes) {
    return [bytes](Engine& engine, Network& network, int) {
      return std::make_unique<MpichTestLibrary>(engine, network, Bytes(bytes));
    };
  };
  return {{.name = "mpich", .make_library = up_to(1000)},
          {.name = "mpich_fluid", .network = NetworkKind::fluid, .make_library = up_to(1000)},
          {.name = "mpich_in_two", .make_library = up_to(0)},
          {.name = "mpich_in_one", .make_library = up_to(1 << 20)}};
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
