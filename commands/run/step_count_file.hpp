// The file of hindcast run --count: how often each sort of step was taken, by rank.
//
//   [{"name": "send overhead", "parameter": "processor.send_overhead", "rank": 0, "count": 3, "time_ps": 3000000,
//     "amount": 0}, ...]
//
// sorted by name, parameter and rank. The rank of a step in hardware is the first one on its node; null if there is
// none.
#pragma once

#include <optional>
#include <string>

#include "commands/run/output_file.hpp"
#include "commands/run/simulation.hpp"
#include "traces/step_counts.hpp"

namespace hindcast {

class StepCountFile final : public RunObserver {
 public:
  // Throws if there can be no such file.
  explicit StepCountFile(const std::string& path) : file_("--count", path) {}

  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override;
  void is_born(int rank, int node) override { counts_->is_born(rank, node); }
  int ends(int status) override;

 private:
  OutputFile file_;
  std::optional<traces::StepCounts> counts_;
};

}  // namespace hindcast
