// The ranks of a run: every one is born here, in the beginning or in mid-run, and leaves its place to others when it
// has gone.
#pragma once

#include <functional>
#include <vector>

#include "commands/run/run_request.hpp"
#include "mpi_impl/core/processes/births.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/programs/launcher.hpp"

namespace hindcast {

class Population final : public mpi::Births {
 public:
  // There is a place for a rank on each of these nodes, on some several. All else outlives it.
  Population(Engine& engine, const Machine& machine, programs::Launch& launch, RunningLibrary& library,
             std::vector<int> nodes);

  // Before the run, once. The programs have one MPI_COMM_WORLD together, or one each.
  void begin(const std::vector<ProgramRequest>& programs, bool have_worlds_of_their_own);
  void begin_built_in(int ranks, const std::function<void()>& body);

  int free_places() override;
  void begin(const std::vector<mpi::Birth>& births) override;

 private:
  using Place = std::size_t;

  void start(const std::vector<mpi::Birth>& births);
  void add_to_library(std::size_t rank, Place place, int application);
  std::vector<Place> find_free_places() const;
  void bury_the_gone();

  Engine& engine_;
  const Machine& machine_;
  programs::Launch& launch_;
  RunningLibrary& library_;
  const std::vector<int> nodes_;  // by place
  std::vector<Rank*> ranks_;      // by place; null where there is none
};

}  // namespace hindcast
