// A library that MPI has not been built on: its ranks run, and MPI knows nothing of them.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>

#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/programs/process/simulated_thread.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

class LibraryWithoutMpi final : public RunningLibrary {
 public:
  void add_rank(Rank&, int, int) override { ++ranks; }
  int ranks = 0;
};

TEST(LibraryWithoutMpi, HasRanksThatOweMpiNothing) {
  Engine engine(EngineOptions{});
  const MachineFile file = load_machine("ideal");
  const auto machine = Machine::build(engine, file, 2, {});
  LibraryWithoutMpi library;
  for (int number = 0; number < 2; ++number) {
    Rank& rank = engine.add_rank(machine->node_name(number));
    add_rank(library, *machine, rank, number, 0);
    EXPECT_EQ(complaint_at_exit(rank), "");
  }
  EXPECT_EQ(library.ranks, 2);
}

TEST(LibraryWithoutMpi, IsToldToWhoCallsMpi) {
  const auto call_mpi = [] {
    Engine engine(EngineOptions{});
    programs::remember_simulating_thread();
    test::run_ranks(engine, {[](Thread&) {
                      int number = 0;
                      MPI_Comm_rank(MPI_COMM_WORLD, &number);
                    }});
  };
  EXPECT_EXIT(call_mpi(), testing::ExitedWithCode(EXIT_FAILURE),
              "MPI_Comm_rank: the library that this machine's file names \\(messages.library\\) has no MPI");
}

}  // namespace
}  // namespace hindcast
