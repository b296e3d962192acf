#include "mpi_impl/core/processes/leaving.hpp"

#include <optional>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/processes/ports.hpp"

namespace hindcast::mpi {

namespace {

bool lies_within(const Group& group, const Group& whole) {
  for (int rank = 0; rank < group.size(); ++rank)
    if (!whole.has(group.world_rank(rank))) return false;
  return true;
}

bool reaches_beyond(const Comm& comm, const World::Cohort& cohort) {
  return !lies_within(*comm.group, cohort.group) || (comm.is_inter() && !lies_within(*comm.remote, cohort.group));
}

// From those who had it born, and all others: of what still reaches them, all is being disconnected. A rank that waits
// at a port is about to meet somebody.
bool is_disconnected(Process& process, const World::Cohort& cohort) {
  if (process.phase == Process::Phase::before_init || cohort.parents == nullptr) return false;
  if (process.world().ports().has_waiting(process.world_rank())) return false;
  int ways_out = 0;
  process.comms.for_each([&](const Comm& comm) { ways_out += reaches_beyond(comm, cohort) ? 1 : 0; });
  return ways_out <= process.disconnecting;
}

// The caller has a communicator with one of them, so that they may wait for it.
bool is_connected_with(Process& process, const Group& others) {
  const auto has_one = [&](const Group& group) {
    for (int rank = 0; rank < group.size(); ++rank)
      if (others.has(group.world_rank(rank))) return true;
    return false;
  };
  bool is_connected = false;
  process.comms.for_each([&](const Comm& comm) {
    is_connected = is_connected || has_one(*comm.group) || (comm.is_inter() && has_one(*comm.remote));
  });
  return is_connected;
}

// It keeps its place for that when it has come to its end.
bool has_requests_under_way(Process& process) {
  bool has_some = false;
  process.requests.for_each(
      [&](const Request& request) { has_some = has_some || (request.active && !request.finished); });
  return has_some;
}

bool is_about_to_leave(Process& process, const World::Cohort& cohort, Process& caller) {
  if (has_requests_under_way(process)) return false;
  if (process.is_in_finalize) return true;
  return is_disconnected(process, cohort) && !is_connected_with(caller, cohort.group);
}

// Nothing if some of them will stay.
std::optional<int> ranks_that_leave_together(Process& caller, const World::Cohort& cohort) {
  int leaving = 0;
  for (int rank = 0; rank < cohort.group.size(); ++rank) {
    const auto id = static_cast<std::size_t>(cohort.group.world_rank(rank));
    Process* const process = Process::of(*caller.world().engine().ranks()[id]);
    if (process == nullptr) continue;
    if (!is_about_to_leave(*process, cohort, caller)) return std::nullopt;
    ++leaving;
  }
  return leaving;
}

}  // namespace

void settle_before_goodbye(Process& process, const Comm& comm) {
  const World::Cohort& cohort = process.world().cohort_of(process.world_rank());
  if (cohort.parents != nullptr && reaches_beyond(comm, cohort)) Thread::current()->settle();
}

int ranks_about_to_leave(Process& caller) {
  int leaving = 0;
  for (const World::Cohort& cohort : caller.world().cohorts())
    if (!cohort.group.has(caller.world_rank())) leaving += ranks_that_leave_together(caller, cohort).value_or(0);
  return leaving;
}

}  // namespace hindcast::mpi
