// What `hindcast run` has been asked to do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "commands/run/computation/run_stretches.hpp"
#include "commands/run/shorthands.hpp"
#include "simulator/engine/units.hpp"
#include "simulator/programs/launcher.hpp"

namespace hindcast {

struct ProgramRequest {
  std::string program;
  std::vector<std::string> arguments;
  int ranks = 1;
  std::string working_directory;
  std::string note = {};  // said before the run
};

struct RunRequest {
  std::string machine = "ideal";
  std::vector<std::string> settings;    // of the machine's parameters: "key=value"
  std::vector<std::string> algorithms;  // of collectives, by name: "bcast=binomial,allreduce=ring"
  std::string map;                      // the machine's usual one unless given (machine/placement)
  std::vector<ProgramRequest> programs;
  std::function<void()> built_in;  // what every rank does, if there is no program
  int built_in_ranks = 0;
  bool separate_worlds = false;     // each program has an MPI_COMM_WORLD of its own
  bool checks_windows = false;      // for accesses that conflict
  bool separates_windows = false;   // their memory into a public copy and the rank's own
  bool checks_leniency = false;     // what the standard does not promise is told at the end
  bool checks_messages = false;     // that no buffer in progress is changed, and what is sent is what is received
  bool checks_collectives = false;  // that all ranks make the same ones in the same order
  int universe = 0;                 // how many ranks there may be at a time; those of the beginning if it is less
  Shorthands shorthands;
  bool lockstep = false;
  Time max_time = Time::never();
  std::uint64_t idle_polls_told = 1'000'000;  // 0: a run that only polls is not warned of
  std::uint64_t idle_polls_max = 0;           // 0: it is not ended either
  std::string note = {};                      // told when the run begins; empty: nothing
  bool marks_calls = false;                   // for the observer
  programs::LaunchOptions launch;
  std::shared_ptr<RunStretches> stretches;  // that launch.measured asks; null if it asks nobody
  std::string recorded_file;                // what computation is read from, if any

  int ranks() const {
    int sum = built_in_ranks;
    for (const ProgramRequest& program : programs) sum += program.ranks;
    return sum;
  }
};

}  // namespace hindcast
