// Random programs on the plain library, with every kind of progress and both protocols.

#include <deque>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/libraries/plain/device.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class PlainTestLibrary final : public TestLibrary {
 public:
  PlainTestLibrary(Engine& engine, Network& network, Progress progress)
      : costs_(costs(progress)), machine_(engine, network, costs_) {}
  Device& add(Rank& rank, int node) override {
    rank.main_thread().set_progress(costs_.progress, costs_.poll);
    return devices_.emplace_back(machine_, rank, node);
  }

 private:
  static PlainCosts costs(Progress progress) {
    PlainCosts costs;
    costs.send = {{"send", ""}, Time::ns(300)};
    costs.receive = {{"receive", ""}, Time::ns(400)};
    costs.poll = Time::ns(150);
    costs.service = {{"service", ""}, Time::ns(220)};
    costs.local = {Rate::per_second(2e9), Rate(), Time::ns(10)};
    costs.eager_limit = Bytes(1000);
    costs.header = Bytes(32);
    costs.progress = progress;
    return costs;
  }
  const PlainCosts costs_;
  PlainMachine machine_;
  std::deque<PlainDevice> devices_;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, Progress progress) {
    const auto make = [=](Engine& engine, Network& network, int) {
      return std::make_unique<PlainTestLibrary>(engine, network, progress);
    };
    all.push_back({.name = name, .make_library = make});
    all.push_back({.name = name + "_fluid", .network = NetworkKind::fluid, .make_library = make});
  };
  add("hardware", Progress::hardware);
  add("interrupt", Progress::interrupt);
  add("polling", Progress::polling);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Devices, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
