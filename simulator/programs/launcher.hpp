// Starts programs as the ranks of a simulation, and ends the run with the status that it deserves.
//
//   programs::prepare_process();             before the engine exists
//   Engine engine(...); ... the platform ...
//   programs::Launch launch(engine, options, observer);
//   launch.add(application);                 for each program of the run
//   engine.run(...);
//   return launch.finish();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/programs/process/output.hpp"
#include "simulator/programs/process/process.hpp"

namespace hindcast::programs {

// Where a rank runs.
struct Place {
  std::string host;       // its SimGrid name
  std::string host_name;  // what the program is told
  ProcessorCosts costs;
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
  bool compute_is_free = false;  // what a program charges for its computation takes no time
};

// The layer above is told how ranks end.
class ProgramObserver {
 public:
  virtual ~ProgramObserver() = default;
  // A rank's program has returned from main or called exit. What is wrong with ending here ("without calling
  // MPI_Finalize"), or nothing. On the rank's thread.
  virtual std::string complaint_at_exit(Rank& /*rank*/) { return {}; }
  // The process is about to end, whether or not all ranks have. Gives the status that it ends with.
  virtual int run_ends(int status) { return status; }
};

// Once, before the engine exists: it leaves signal handlers alone that it finds in place.
void prepare_process();

class Launch final : public EventSink, public SwitchHook {
 public:
  Launch(Engine& engine, const LaunchOptions& options, ProgramObserver& observer);
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  // Loads the program for each place and starts the ranks, which run when the engine does. Throws ProgramError.
  void add(const Application& application);

  // After the run: what a failing rank failed with, or 0.
  int finish();
  // Ends the process here and now, the simulation with it. For deadlocks, the end of time and the like.
  [[noreturn]] void end_run(int status);
  // The current thread's act: everything ends at its clock, `line` saying why. For MPI_Abort and fatal errors.
  [[noreturn]] void abort_run(int status, std::string line);

  Output& output() { return output_; }
  const LaunchOptions& options() const { return options_; }

  // By a process, as its last deed.
  void rank_exits(Process& process, int status);
  [[noreturn]] void rank_dies(int status, std::string report);

  void fire(const Event& event) override;
  void enter(Thread& thread) override;
  void leave(Thread& thread) override;

 private:
  enum class Fate { exited, complained_of, died };
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
  std::vector<std::unique_ptr<Loader>> loaders_;
  std::vector<std::unique_ptr<std::vector<std::string>>> arguments_;
  std::vector<std::unique_ptr<Process>> processes_;
  int first_failed_rank_ = -1;
  int first_failed_status_ = 0;
};

}  // namespace hindcast::programs
