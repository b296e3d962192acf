// What hindcast explain prints: the messages of a run, and the way of one of them, each step with its parameter and
// where that comes from.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"
#include "traces/message_path.hpp"

namespace hindcast {

struct Explanation {
  traces::MessageTrip trip;
  std::string choice;  // why this message of several, for people; or nothing
  traces::MessagePath path;
};

std::string message_table(const std::vector<traces::MessageTrip>& trips);
std::string message_json(const std::vector<traces::MessageTrip>& trips);
std::string explanation_table(const Explanation& explanation, const MachineFile& machine);
std::string explanation_json(const Explanation& explanation, const MachineFile& machine);

}  // namespace hindcast
