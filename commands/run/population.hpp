// The ranks of a run: every one is born here, in the beginning or in mid-run, and leaves its place to others when it
// has gone.
#pragma once

#include <functional>
#include <vector>

#include "commands/run/run_request.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/programs/births.hpp"
#include "simulator/programs/launcher.hpp"

namespace hindcast {

class Population final : public Births {
 public:
  // There is a place for a rank on each of these nodes, on some several. All else outlives it.
  Population(Engine& engine, const Machine& machine, programs::Launch& launch, RunningLibrary& library,
             std::vector<int> nodes);

  // Who is told of every rank that is born after the beginning, and of its node.
  void on_birth(std::function<void(int rank, int node)> tell) { tell_birth_ = std::move(tell); }

  // Before the run, once. The programs have one MPI_COMM_WORLD together, or one each.
  void begin(const std::vector<ProgramRequest>& programs, bool have_worlds_of_their_own);
  void begin_built_in(int ranks, const std::function<void()>& body);

  int free_places() override;
  std::vector<int> nodes_of_free_places() override;
  void bear(const std::vector<Birth>& births) override;

 private:
  using Berth = std::size_t;  // a place for a rank

  void start(const std::vector<Birth>& births);
  programs::Place place_of_program(int node) const;
  void add_to_library(std::size_t rank, Berth berth, int application);
  std::vector<Berth> find_free_berths() const;
  std::vector<Berth> berths_for(const std::vector<Birth>& births) const;
  void bury_the_gone();

  Engine& engine_;
  const Machine& machine_;
  programs::Launch& launch_;
  RunningLibrary& library_;
  std::function<void(int, int)> tell_birth_;
  const std::vector<int> nodes_;  // by berth
  std::vector<Rank*> ranks_;      // by berth; null where there is none
};

}  // namespace hindcast
