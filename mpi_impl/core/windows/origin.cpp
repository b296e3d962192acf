#include "mpi_impl/core/windows/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/layout_runs.hpp"
#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/packets/work.hpp"
#include "mpi_impl/core/windows/windows.hpp"

namespace hindcast::mpi {

std::string Window::name() const {
  if (!given_name.empty()) return fmt::format("window {}", given_name);
  return fmt::format("a window of {} rank{}", size(), size() == 1 ? "" : "s");
}

BlockedOn WindowWait::describe() const {
  BlockedOn blocked{call_->name, "", {}};
  for (const int rank : ranks_()) blocked.ranks.push_back(window_.comm->world_rank(rank));
  blocked.detail = fmt::format("{} of {}, rank{} {}", what_for_, window_.name(), blocked.ranks.size() == 1 ? "" : "s",
                               fmt::join(blocked.ranks, ", "));
  return blocked;
}

namespace {

[[noreturn]] void refuse_range(const Window& window, const TargetArguments& target, const std::string& has) {
  throw Error{
      MPI_ERR_RMA_RANGE,
      fmt::format("{}: {} {} at {} of rank {}, outside of its memory, {}", window.name(), target.count,
                  target.count == 1 ? "element lies" : "elements lie", place_of(window, target), target.rank, has),
      nullptr, &window};
}

// Gaps between the data of elements need not be attached.
std::byte* attached_memory_at(Window& window, const TargetArguments& target, const Reach& reach) {
  auto* const address = reinterpret_cast<std::byte*>(target.displacement);
  const auto& attached = window.member(target.rank).attached;
  const auto holds = [&](const Run& run) { return attached.covers(address + run.offset, run.bytes); };
  if (!holds({reach.offset, reach.bytes}) &&
      !all_runs(*map_of(target.type)->layout(), static_cast<std::size_t>(target.count), target.type.extent, holds))
    refuse_range(window, target, "as it has been attached");
  return address;
}

}  // namespace

// A displacement in a dynamic window is an address, which differs from run to run.
std::string place_of(const Window& window, const TargetArguments& target) {
  if (!window.is_dynamic()) return fmt::format("displacement {}", target.displacement);
  return window.member(target.rank).attached.place_of(reinterpret_cast<const std::byte*>(target.displacement));
}

std::byte* memory_at(Window& window, const TargetArguments& target) {
  const Reach reach = reach_of(target.type, target.count);
  if (window.is_dynamic()) return attached_memory_at(window, target, reach);
  const WindowTable::Member& member = window.member(target.rank);
  const std::ptrdiff_t offset = product(target.displacement, member.disp_unit);
  const std::ptrdiff_t begin = sum(offset, reach.offset);
  const bool is_inside = begin >= 0 && sum(begin, static_cast<std::ptrdiff_t>(reach.bytes)) <= member.size;
  if (!is_inside && reach.bytes > 0)
    refuse_range(window, target, fmt::format("which has {} bytes (unit: {})", member.size, member.disp_unit));
  return member.base + offset;
}

void deliver(Process& process, Window& window, int target, Packet& packet, const void* data) {
  packet.origin = window.rank();
  packet.window = window.member(target).window;
  const bool is_about_memory = packet.kind <= PacketKind::compare_and_swap;
  if (target != window.rank() && !(is_about_memory && window.reaches(target)))
    return process.windows().carrier().send(window.comm->world_rank(target), packet, data);
  Thread& thread = *Thread::current();
  thread.settle();
  work_on(process, packet, static_cast<const std::byte*>(data), {thread.clock(), &thread});
}

// Once it is on its way: another thread's flush meanwhile does not answer for it.
void deliver_unanswered(Process& process, Window& window, int target, Packet& packet, const void* data) {
  deliver(process, window, target, packet, data);
  if (!window.reaches(target)) window.at_targets[target].is_unanswered = true;
}

namespace {

void wait_for_lock(Process& process, Window& window, int target) {
  window.answers.wait_for_lock(process, target, WindowWait(process, window, "for a lock", [&window, target] {
                                 const std::vector<int>& holders = window.member(target).window->lock.holders();
                                 return holders.empty() ? std::vector<int>{target} : holders;
                               }));
  window.at_targets[target].lock = LockHeld::granted;
}

}  // namespace

void take_lock(Process& process, Window& window, int target, bool is_exclusive) {
  Packet packet{PacketKind::lock};
  packet.is_exclusive = is_exclusive;
  AtTarget& at = window.at_targets[target];
  at.lock = LockHeld::asked;
  at.has_exclusive_lock = is_exclusive;
  packet.answer = &window.answers.expect_lock(target);
  deliver(process, window, target, packet, nullptr);
  wait_for_lock(process, window, target);
}

// Another thread may have asked for it.
void lock_if_needed(Process& process, Window& window, int target) {
  if (!window.has_locked_all) return;
  AtTarget& at = window.at_targets[target];
  if (at.lock == LockHeld::granted || at.lock == LockHeld::unchecked) return;
  if (window.locks_are_unchecked)
    at.lock = LockHeld::unchecked;
  else if (at.lock == LockHeld::asked)
    wait_for_lock(process, window, target);
  else
    take_lock(process, window, target, false);
}

namespace {

void ask_for_end(Process& process, Window& window, int target) {
  Packet packet{PacketKind::flush};
  packet.answer = &window.answers.expect(target);
  deliver(process, window, target, packet, nullptr);
}

std::vector<int> targets_awaited(const Window& window, int target) {
  std::vector<int> awaited;
  for (int rank = 0; rank < window.size(); ++rank)
    if ((target == Answers::all_targets || rank == target) && window.answers.are_awaited_from(rank))
      awaited.push_back(rank);
  return awaited;
}

}  // namespace

void flush_local(Process& process, Window& window, int target) {
  window.answers.wait_for(process, target, WindowWait(process, window, "for operations at targets", [&] {
                            return targets_awaited(window, target);
                          }));
}

RemoteAccess* remote_access_to(Process& process, const Window& window, int target) {
  RemoteAccess* machine = window.reaches(target) ? nullptr : process.endpoint().remote_access();
  return machine != nullptr && machine->reaches(window.comm->world_rank(target)) ? machine : nullptr;
}

void finish_native_puts(Process& process, Window& window) {
  const std::uint64_t begun = window.native_puts;
  if (window.native_puts_finished >= begun) return;
  flush_local(process, window, Answers::all_targets);
  process.endpoint().remote_access()->finish_puts();
  window.native_puts_finished = std::max(window.native_puts_finished, begun);
}

// Another thread may unlock a target meanwhile, or ask there itself.
void flush(Process& process, Window& window, int target) {
  finish_native_puts(process, window);
  for (auto at = window.at_targets.begin(); at != window.at_targets.end();) {
    const int rank = at->first;
    const bool is_meant = target == Answers::all_targets || target == rank;
    if (is_meant && std::exchange(at->second.is_unanswered, false)) ask_for_end(process, window, rank);
    at = window.at_targets.upper_bound(rank);
  }
  flush_local(process, window, target);
}

void let_others_go_on(Process& process, Window& window) {
  Thread& thread = *Thread::current();
  if (!thread.clock_is_certain()) thread.settle();
  const Engine& engine = process.world().engine();
  const Background& background = process.background;
  const WindowParts::Look last = window.last_look;
  if (last.call == process.call()) {
    const WindowWait why(process, window, "for others to change memory", [] { return std::vector<int>{}; });
    const bool stands_still = last.clock == thread.clock();
    const bool keeps_others_waiting = !background.is_empty() && last.looks == background.looks();
    if (stands_still || keeps_others_waiting) poll(process, why);
    if (last.now == engine.now()) thread.settle(&why);
  }
  window.last_look = {process.call(), engine.now(), thread.clock(), background.looks()};
}

}  // namespace hindcast::mpi
