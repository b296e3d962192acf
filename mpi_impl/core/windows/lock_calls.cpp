// Epochs of locks, and what ends operations within them.
#include <fmt/format.h>

#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/origin.hpp"

namespace hindcast::mpi::body {

namespace {

void require_locks(const Window& window) {
  if (window.takes_no_locks) refuse_synchronization(window, "locked, though its info object says no_locks = true");
}

// The end of the lock tells that of what was done before. One that is only asserted to be free has nobody to tell.
void release_at_target(Process& process, Window& window, int target, const AtTarget& at) {
  if (at.lock == LockHeld::unchecked) return;
  Packet packet{PacketKind::unlock};
  packet.answer = &window.answers.expect(target);
  deliver(process, window, target, packet, nullptr);
}

// For what others do while nothing is under way here.
void make_progress_for_others(Process& process, Window& window, int target) {
  poll(process, WindowWait(process, window, "for progress", [&] {
         return target == Answers::all_targets ? std::vector<int>{} : std::vector<int>{target};
       }));
}

void flush_or_poll(Process& process, Window& window, int target, bool locally) {
  make_progress_for_others(process, window, target);
  locally ? flush_local(process, window, target) : flush(process, window, target);
  end_locked_accesses(window, target, locally ? Conflicts::Ended::gets : Conflicts::Ended::all);
  let_others_go_on(process, window);
}

}  // namespace

void Win_lock(Process& process, int type, int target, int assertion, Window& window) {
  if (target == MPI_PROC_NULL) return;
  require_locks(window);
  if (is_locked(window, target))
    refuse_synchronization(window, fmt::format("MPI_Win_lock for rank {}, which is locked already", target));
  if (window.locks_held == 0 || window.has_locked_all) require_no_epoch(window, "MPI_Win_lock");
  const bool is_exclusive = type == MPI_LOCK_EXCLUSIVE;
  if ((assertion & MPI_MODE_NOCHECK) == 0)
    take_lock(process, window, target, is_exclusive);
  else
    window.at_targets[target] = {LockHeld::unchecked, is_exclusive, false};
  ++window.locks_held;
  if (target == window.rank()) take_in(process, window);
}

// Others than the rank itself, and than those whose memory is its own too, are locked when something is done there.
void Win_lock_all(Process& process, int assertion, Window& window) {
  require_locks(window);
  require_no_epoch(window, "MPI_Win_lock_all");
  window.has_locked_all = true;
  window.locks_are_unchecked = (assertion & MPI_MODE_NOCHECK) != 0;
  if (window.locks_are_unchecked) return take_in(process, window);
  for (int rank = 0; rank < window.size(); ++rank)
    if (window.reaches(rank)) lock_if_needed(process, window, rank);
  take_in(process, window);
}

void Win_unlock(Process& process, int target, Window& window) {
  if (target == MPI_PROC_NULL) return;
  if (window.has_locked_all || !is_locked(window, target))
    refuse_synchronization(window,
                           fmt::format("MPI_Win_unlock for rank {}, which MPI_Win_lock has not locked", target));
  finish_native_puts(process, window);
  if (target == window.rank()) publish(process, window);
  end_locked_accesses(window, target);
  const AtTarget at = window.at_targets[target];
  if (at.lock == LockHeld::unchecked) flush(process, window, target);
  window.at_targets.erase(target);
  --window.locks_held;
  release_at_target(process, window, target, at);
  flush_local(process, window, target);
  let_others_go_on(process, window);
}

void Win_unlock_all(Process& process, Window& window) {
  if (!window.has_locked_all)
    refuse_synchronization(window, "MPI_Win_unlock_all called where MPI_Win_lock_all has locked nothing");
  finish_native_puts(process, window);
  publish(process, window);
  end_locked_accesses(window, Answers::all_targets);
  if (window.locks_are_unchecked) flush(process, window, Answers::all_targets);
  for (const auto& [target, at] : std::exchange(window.at_targets, {})) release_at_target(process, window, target, at);
  flush_local(process, window, Answers::all_targets);
  window.has_locked_all = false;
  let_others_go_on(process, window);
}

void Win_flush(Process& process, int target, Window& window) {
  if (target == MPI_PROC_NULL) return;
  require_lock(window, target, "MPI_Win_flush");
  flush_or_poll(process, window, target, false);
}

void Win_flush_all(Process& process, Window& window) {
  require_passive_epoch(window, "MPI_Win_flush_all");
  flush_or_poll(process, window, Answers::all_targets, false);
}

void Win_flush_local(Process& process, int target, Window& window) {
  if (target == MPI_PROC_NULL) return;
  require_lock(window, target, "MPI_Win_flush_local");
  flush_or_poll(process, window, target, true);
}

void Win_flush_local_all(Process& process, Window& window) {
  require_passive_epoch(window, "MPI_Win_flush_local_all");
  flush_or_poll(process, window, Answers::all_targets, true);
}

// Mostly there is one copy of a window's memory. What others have done to it by now is seen, and who looks again and
// again lets time go on.
void Win_sync(Process& process, Window& window) {
  const WindowWait why(process, window, "for others to change memory", [] { return std::vector<int>{}; });
  poll(process, why);
  Thread::current()->settle(&why);
  publish(process, window);
  take_in(process, window);
}

}  // namespace hindcast::mpi::body
