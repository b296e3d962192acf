// What is cancelled, where OMP_CANCELLATION allows it: a region, a share of it, or a group of tasks. Those that are in
// it are told at their next point where they may be, and leave it by themselves. Of a loop whose iterations the
// compiler has shared out nothing is known but its end, a barrier.
#include <utility>

#include "simulator/programs/openmp/team.hpp"

namespace hindcast::programs::openmp {

namespace {

enum What : int { of_region = 1, of_loop = 2, of_sections = 4, of_group = 8 };

// The innermost of the program's own.
TaskGroup* group_around(const Member& member) {
  TaskGroup* group = member.task->group;
  while (group != nullptr && group->is_of_share) group = group->outer;
  return group;
}

bool has_been_cancelled(const Member& member, int what) {
  if ((what & (of_loop | of_sections)) != 0) return member.team->is_share_cancelled;
  if ((what & of_group) != 0) {
    const TaskGroup* group = group_around(member);
    if (group != nullptr && group->is_cancelled) return true;
  }
  return member.team->is_cancelled;
}

// Those that wait at a barrier have left it from here on, though they wake later than this one comes to the last
// barrier.
void cancel_region(Team& team) {
  team.is_cancelled = true;
  team.arrived -= std::exchange(team.arrived_may_leave, 0);
  Runtime::wake_all(team.at_barrier);
  Runtime::wake_all(team.for_tasks);
}

void cancel(Member& member, int what) {
  if ((what & (of_loop | of_sections)) != 0) {
    member.team->is_share_cancelled = true;
  } else if ((what & of_group) != 0) {
    if (TaskGroup* const group = group_around(member)) group->is_cancelled = true;
  } else {
    cancel_region(*member.team);
  }
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

bool hindcast_GOMP_cancellation_point(int what) {
  return Runtime::calling("cancellation point").can_cancel &&
         has_been_cancelled(Runtime::member("cancellation point"), what);
}

// Without the condition of its clause it is a point where others' cancelling is looked at.
bool hindcast_GOMP_cancel(int what, bool is_wanted) {
  if (!is_wanted) return hindcast_GOMP_cancellation_point(what);
  if (!Runtime::calling("cancel").can_cancel) return false;
  cancel(Runtime::member("cancel"), what);
  return true;
}

bool hindcast_GOMP_barrier_cancel() { return Runtime::barrier(Runtime::member("a barrier of OpenMP"), true); }

int hindcast_omp_get_cancellation() { return Runtime::calling("omp_get_cancellation").can_cancel ? 1 : 0; }

}  // extern "C"
