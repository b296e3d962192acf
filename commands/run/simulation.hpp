// One run: a machine is built, programs are started on it, and the simulation runs to its end.
#pragma once

#include <vector>

#include "commands/run/run_request.hpp"
#include "simulator/machine/file/machine_file.hpp"
#include "traces/recorded_step.hpp"

namespace hindcast {

// Who wants to know what happens in a run, step by step.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // The machine stands, and rank r is going to run on nodes[r]. Gives who is to be told of all steps.
  virtual traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) = 0;
  // In mid-run.
  virtual void is_born(int /*rank*/, int /*node*/) {}
  // All steps have been told, and the process is about to end. Gives the status that it ends with.
  virtual int ends(int status) = 0;
};

// Ends the process with the exit status of the run. Throws if it cannot start.
[[noreturn]] void simulate(const RunRequest& request, RunObserver* observer = nullptr);

}  // namespace hindcast
