// The table of hindcast run --profile: which calls the run's time went to. On standard error, when the run is over.
#pragma once

#include <string>

#include "commands/run/profile/call_profile.hpp"
#include "commands/run/simulation.hpp"

namespace hindcast {

// The lines of the table, each with its newline.
std::string profile_table(const CallProfile& profile);

class ProfileReport final : public RunObserver {
 public:
  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override;
  int ends(int status) override;

 private:
  CallProfile profile_;
  std::string machine_;
};

}  // namespace hindcast
