// Which tasks a task has to wait for: those made before it by the same task that name the same variables, unless both
// only read.
#pragma once

#include "simulator/programs/openmp/team.hpp"

namespace hindcast::programs::openmp {

// What a clause says: `list` is as the compiler lays it out. The task counts among its parent's from then on.
void depend_on(Task& parent, const std::shared_ptr<Task>& task, void* const* list);
// By a task that waits itself: `waiter` stands for it, and nobody will depend on that.
void wait_behind(Task& parent, const std::shared_ptr<Task>& waiter, void* const* list);

}  // namespace hindcast::programs::openmp
