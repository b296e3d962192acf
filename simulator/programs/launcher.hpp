// Starts programs as the ranks of a simulation, and ends the run with the status that it deserves.
//
//   programs::prepare_process();             before the engine exists
//   Engine engine(...); ... the platform ...
//   programs::Launch launch(engine, options, observer);
//   launch.start(applications);              the programs of the run
//   engine.run(...);
//   return launch.finish();
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/programs/descriptors/descriptor_waits.hpp"
#include "simulator/programs/load/program_slots.hpp"
#include "simulator/programs/process/output.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/this_computer/measured_computation.hpp"

namespace hindcast::programs {

// Where a rank runs.
struct Place {
  std::string node_name;  // in the platform
  std::string host_name;  // what gethostname tells the program
  ProcessorCosts costs;
  ProcessorShare processors;
};

// A program and the ranks that run it.
struct Application {
  std::string program;                 // a path, or a name to be found as a shell finds it
  std::vector<std::string> arguments;  // without the program's name
  std::string working_directory;       // empty: the launcher's
  std::vector<Place> places;           // one a rank
};

struct LaunchOptions {
  std::size_t stack_bytes = 8 << 20;
  bool separate_files = false;  // a copy of the program for each rank
  bool label_lines = false;
  bool tells_what_is_not_charged = false;  // of computation: at the end, and earlier if a rank computes long
  double host_seconds_max = 0;             // of this computer's time, for the run; 0: as much as it takes
  double spin_seconds_max = 10;  // of this computer's time, for a thread that gives no way to its rank's others; 0: any
  MeasuredComputation measured;
  bool compute_is_free = false;  // what a program charges for its computation takes no time
};

// The layer above is told how ranks end.
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;
  // A rank's program is about to begin. On the rank's thread.
  virtual void program_begins(Rank& /*rank*/) {}
  // A rank's program has returned from main or called exit. What is wrong with ending here ("without calling
  // MPI_Finalize"), or nothing. On the rank's thread.
  virtual std::string complaint_at_exit(Rank& /*rank*/) { return {}; }
  // A rank will have more threads than its main one: before they run, each time.
  virtual void starts_thread(Rank& /*rank*/) {}
  // The process is about to end, whether or not all ranks have. Gives the status that it ends with.
  virtual int run_ends(int status) { return status; }
};

// Once, before the engine exists: it leaves signal handlers alone that it finds in place.
void prepare_process(int ranks);

class Launch final : public EventSink, public SwitchHook {
 public:
  Launch(Engine& engine, const LaunchOptions& options, ProgramObserver& observer);
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  // Loads the programs for each of their places and starts the ranks, which run when the engine does, or from now on:
  // in mid-run a handler calls it. Throws ProgramError, and starts none.
  void start(const std::vector<Application>& applications);
  // A rank whose threads have all ended: what it took is there for others. The layers above have let go of it.
  void bury(Rank& rank);

  // After the run: what a failing rank failed with, or 0.
  int finish();
  // Ends the process here and now, the simulation with it. For deadlocks, the end of time and the like.
  [[noreturn]] void end_run(int status);
  // The current thread's act: everything ends at its clock, `line` saying why. For MPI_Abort and fatal errors. Where no
  // thread runs, here and now. The process ends with a status other than 0, whatever `status` is.
  [[noreturn]] void abort_run(int status, std::string line);

  Output& output() { return output_; }
  // At the end of a run that ends before its time: lines that ranks have begun by then and not ended.
  void print_cut_lines(Time end) const;
  DescriptorWaits& descriptor_waits() { return descriptor_waits_; }
  // A program has said what its computation is, whether or not that takes time.
  void computation_is_declared() { is_computation_declared_ = true; }
  bool is_computation_declared() const { return is_computation_declared_; }
  // Whether this is the run's first refusal of a call such as fork: the user is told of that one alone.
  bool is_first_refusal() { return !std::exchange(has_refused_, true); }
  const LaunchOptions& options() const { return options_; }

  // Whether a rank runs on a node of that host name.
  bool is_host(const std::string& name) const;

  // By a program, before the thread runs.
  void starts_thread(const RunningProgram& program);
  // By a program, before its main.
  void rank_begins(const RunningProgram& program);
  // By a program, as its last deed.
  void rank_exits(RunningProgram& program, int status);
  [[noreturn]] void rank_dies(int status, std::string report);
  // The others go on; the run's status tells of it in the end.
  void rank_dies_alone(int status, std::string report);

  void fire(const Event& event) override;
  void enter(Thread& thread) override;
  void leave(Thread& thread) override;
  void keep_place(Thread& thread) override;
  // Of a thread that was stopped at an instruction: an address behind that one's beginning, then return addresses.
  void keep_place(const Thread& thread, std::vector<void*> frames) { places_.emplace(&thread, std::move(frames)); }
  // "main (prog.c:12)", of a thread whose place was kept.
  std::string place_of(const Thread& thread) const;
  // "PMPI_Barrier": the symbol of the function of hindcast's that it has called there; nothing if it has called none.
  std::string call_of(const Thread& thread) const;

 private:
  struct Loaded {
    std::vector<ProgramSlots::Slot> slots;
    std::shared_ptr<const std::vector<std::string>> arguments;
    WorkingDirectory directory;
  };
  Loaded load(const Application& application);
  void start(const Loaded& loaded, const std::vector<Place>& places);

  enum class Fate { exited, complained_of, died, died_alone };
  struct End {
    Rank* rank;
    Fate fate;
    int status;
    std::string report;
  };
  void act_end(End end);

  Engine& engine_;
  LaunchOptions options_;
  ProgramObserver& observer_;
  Output output_;
  DescriptorWaits descriptor_waits_;
  ProgramSlots slots_;
  std::vector<std::unique_ptr<RunningProgram>> programs_;  // by rank; null where it is buried
  std::map<const Thread*, std::vector<void*>> places_;
  bool is_computation_declared_ = false;
  bool has_refused_ = false;
  int first_failed_rank_ = -1;
  int first_failed_status_ = 0;
};

}  // namespace hindcast::programs
