// The variables that a task's children have of it.
#pragma once

#include <string>
#include <vector>

namespace hindcast::pvm {

class Task;

// As "NAME=value": those that PVM_EXPORT names, and itself. On the task's thread.
std::vector<std::string> exported_variables(const Task& task);

}  // namespace hindcast::pvm
