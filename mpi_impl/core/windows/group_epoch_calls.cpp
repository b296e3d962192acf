// Epochs of groups: post, start, complete, wait.
#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/origin.hpp"

namespace hindcast::mpi::body {

namespace {

void require_members(const Window& window, const Group& group) {
  for (int rank = 0; rank < group.size(); ++rank)
    if (!window.comm->group->has(group.world_rank(rank)))
      throw Error{
          MPI_ERR_GROUP,
          fmt::format("argument 1 (group): its rank {} is not of {}; take members of that only", rank, window.name()),
          nullptr, &window};
}

template <typename Visit>
void for_each_member(const Window& window, const Group& group, Visit visit) {
  for (int rank = 0; rank < group.size(); ++rank) visit(window.comm->group->rank_of(group.world_rank(rank)));
}

void tell_member(Process& process, Window& window, int rank, PacketKind what) {
  Packet packet{what};
  deliver(process, window, rank, packet, nullptr);
}

// The oldest that has not been started is used up.
void wait_for_post(Process& process, Window& window, int target) {
  std::vector<Time>& posts = window.posts[target];
  const WindowWait why(process, window, "for MPI_Win_post", [target] { return std::vector<int>{target}; });
  if (posts.empty()) {
    Completion here;
    window.post_is_here = &here;
    window.post_awaited_from = target;
    wait_for(process, here, why);
  }
  const Time at = posts.front();
  posts.erase(posts.begin());
  if (at > Thread::current()->clock()) wait_until(process, at, why);
}

bool have_all_completed(const Window& window) {
  return static_cast<int>(window.completed.size()) >= window.posted->size();
}

void end_exposure(Process& process, Window& window) {
  end_exposed_accesses(window);
  take_in(process, window);
  window.completed.erase(window.completed.begin(), window.completed.begin() + window.posted->size());
  window.posted.reset();
}

void require_exposure(const Window& window, const char* call) {
  if (window.posted == nullptr)
    refuse_synchronization(window, fmt::format("{} called where MPI_Win_post has begun no epoch", call));
}

std::vector<int> origins_awaited(const Window& window) {
  std::vector<int> ranks;
  for_each_member(window, *window.posted, [&](int rank) {
    if (std::ranges::find(window.completed, rank) == window.completed.end()) ranks.push_back(rank);
  });
  return ranks;
}

}  // namespace

void Win_post(Process& process, GroupObject& group, int assertion, Window& window) {
  require_members(window, *group.group);
  if (window.posted != nullptr)
    refuse_synchronization(window, "MPI_Win_post called twice; end the epoch that it began with MPI_Win_wait first");
  if (window.has_fence_epoch && window.fence_epoch_is_used) require_no_epoch(window, "MPI_Win_post");
  window.has_fence_epoch = false;
  window.posted = group.group;
  publish(process, window);
  if ((assertion & MPI_MODE_NOCHECK) != 0) return;
  for_each_member(window, *group.group, [&](int rank) { tell_member(process, window, rank, PacketKind::post); });
}

void Win_start(Process& process, GroupObject& group, int assertion, Window& window) {
  require_members(window, *group.group);
  require_no_epoch(window, "MPI_Win_start");
  if ((assertion & MPI_MODE_NOCHECK) == 0)
    for_each_member(window, *group.group, [&](int rank) { wait_for_post(process, window, rank); });
  window.started = group.group;
}

// What is told goes behind the operations, so that the target has done those by then.
void Win_complete(Process& process, Window& window) {
  if (window.started == nullptr)
    refuse_synchronization(window, "MPI_Win_complete called where MPI_Win_start has begun no epoch");
  finish_native_puts(process, window);
  for_each_member(window, *window.started, [&](int rank) { tell_member(process, window, rank, PacketKind::complete); });
  flush_local(process, window, Answers::all_targets);
  window.at_targets.clear();
  window.started.reset();
}

void Win_wait(Process& process, Window& window) {
  require_exposure(window, "MPI_Win_wait");
  const WindowWait why(process, window, "for MPI_Win_complete", [&] { return origins_awaited(window); });
  if (!have_all_completed(window)) {
    Completion all;
    window.all_completed = &all;
    wait_for(process, all, why);
  }
  if (window.completed_at > Thread::current()->clock()) wait_until(process, window.completed_at, why);
  end_exposure(process, window);
  let_others_go_on(process, window);
}

void Win_test(Process& process, Window& window, int& flag) {
  require_exposure(window, "MPI_Win_test");
  const WindowWait why(process, window, "for MPI_Win_complete", [&] { return origins_awaited(window); });
  poll(process, why);
  Thread& thread = *Thread::current();
  thread.settle(&why);
  flag = have_all_completed(window) && window.completed_at <= thread.clock();
  if (flag) end_exposure(process, window);
}

}  // namespace hindcast::mpi::body
