// Random programs on both libraries of the T3E, with barriers among their messages.

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/libraries/cray/tests/t3e_parts.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

class T3eTestLibrary final : public TestLibrary {
 public:
  T3eTestLibrary(Engine& engine, Network& network, const T3eMode& mode, int ranks)
      : parts_(engine, network, ranks, mode) {}
  Endpoint& add(Rank& rank, int node) override { return parts_.add(rank, node); }

 private:
  T3eParts parts_;
};

std::vector<random_programs::Case> protocol_cases() {
  std::vector<random_programs::Case> all;
  const auto add = [&](const std::string& name, const T3eMode& mode) {
    // With RAT, whose sender puts the data once it is told where, more has to be done by two at a time.
    const bool is_told = std::string(mode.longer) == "RAT";
    all.push_back(
        {.name = name,
         .make_library = [=](Engine& engine, Network& network,
                             int ranks) { return std::make_unique<T3eTestLibrary>(engine, network, mode, ranks); },
         .together = Together::barriers,
         .ended_of_12 = is_told ? 6U : 9U,
         .why_not_all = "who has ended, or computes, makes no progress for others"});
  };
  add("new", {});
  add("new_all_rat", {.short_max = 0, .medium = "RAT", .longer = "RAT"});
  add("new_buffered", {.buffer_max = 5000});
  add("new_tight_queue", {.packets = 2});
  add("new_shared_memory", {.buffer_max = 5000, .shares_memory = true});
  add("old", {.is_old = true});
  add("old_no_tn", {.is_old = true, .medium = "RTA"});
  add("old_all_rat", {.is_old = true, .short_max = 0, .medium = "RAT", .longer = "RAT"});
  add("old_buffered", {.is_old = true, .buffer_max = 5000});
  add("old_shared_memory", {.is_old = true, .buffer_max = 5000, .shares_memory = true});
  add("old_tight_queue", {.is_old = true, .slots = 4, .medium_max = 96});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(protocol_cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
