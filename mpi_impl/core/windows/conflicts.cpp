#include "mpi_impl/core/windows/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "mpi_impl/core/datatypes/layout_runs.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/origin.hpp"
#include "mpi_impl/core/windows/packets/target_data.hpp"

namespace hindcast::mpi {

namespace {

bool is_get(AccessKind kind) { return kind == AccessKind::get || kind == AccessKind::get_with_request; }

bool may_be_together(const Conflicts::Access& a, const Conflicts::Access& b) {
  if (a.epoch != b.epoch || a.fence != b.fence) return true;
  if (is_get(a.kind) && is_get(b.kind)) return true;
  const bool are_accumulates = a.kind == AccessKind::accumulate && b.kind == AccessKind::accumulate;
  return are_accumulates && (a.basic == b.basic || a.basic == nullptr || b.basic == nullptr);
}

Conflicts::Access access_to(const Window& window, const TargetArguments& target, AccessKind kind, const char* call) {
  using Epoch = Conflicts::Access::Epoch;
  Epoch epoch = Epoch::fence;
  if (window.started != nullptr) epoch = Epoch::group;
  if (window.has_locked_all || is_locked(window, target.rank)) epoch = Epoch::lock;
  const std::uint64_t fence = epoch == Epoch::fence ? window.fences : 0;
  const TypeMap* const basic = kind == AccessKind::accumulate ? basic_type_of(*map_of(target.type)) : nullptr;
  return {epoch, fence, window.rank(), kind, basic, call};
}

[[noreturn]] void refuse_conflict(const Window& window, const TargetArguments& target,
                                  const Conflicts::Access& earlier) {
  const char* const elements = target.count == 1 ? "element conflicts" : "elements conflict";
  throw Error{MPI_ERR_RMA_CONFLICT,
              fmt::format("{}: {} {} at {} of rank {} with what {} of rank {} accesses there, which no synchronization "
                          "has ended",
                          window.name(), target.count, elements, place_of(window, target), target.rank, earlier.call,
                          earlier.origin),
              nullptr, &window};
}

}  // namespace

const Conflicts::Access* Conflicts::find(int target, const std::byte* begin, std::size_t bytes,
                                         const Access& access) const {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (const auto& [bits, pieces] : at_targets_[static_cast<std::size_t>(target)].by_bits) {
    const std::uintptr_t longest = ~std::uintptr_t{0} >> (std::numeric_limits<std::uintptr_t>::digits - bits);
    const auto from = reinterpret_cast<const std::byte*>(first - std::min(first, longest));
    for (auto piece = pieces.lower_bound(from); piece != pieces.end() && piece->first < begin + bytes; ++piece) {
      const bool overlaps = piece->first + piece->second.bytes > begin;
      if (overlaps && !may_be_together(piece->second.access, access)) return &piece->second.access;
    }
  }
  return nullptr;
}

// Those of earlier fences are over, and are forgotten when there are others. One that is there already is not noted
// again: a program may add to one place a million times before it ends that.
void Conflicts::begin(int target, const std::byte* begin, std::size_t bytes, const Access& access) {
  AtTarget& there = at(target);
  if (access.epoch == Access::Epoch::fence && access.fence > there.fence) {
    there.fence = access.fence;
    there.erase_if(
        [&](const Access& earlier) { return earlier.epoch == Access::Epoch::fence && earlier.fence < access.fence; });
  }
  Pieces& pieces = there.by_bits[std::bit_width(bytes)];
  const Piece piece{bytes, access};
  const auto [same, end] = pieces.equal_range(begin);
  if (std::any_of(same, end, [&](const auto& noted) { return noted.second == piece; })) return;
  pieces.emplace_hint(end, begin, piece);
  if (access.epoch == Access::Epoch::lock)
    (is_get(access.kind) ? there.have_gets : there.have_others).insert(access.origin);
}

void Conflicts::end_locked(int target, int origin, Ended ended) {
  AtTarget& there = at(target);
  const bool had_gets = there.have_gets.erase(origin) > 0;
  const bool had_others = ended == Ended::all && there.have_others.erase(origin) > 0;
  if (!had_gets && !had_others) return;
  there.erase_if([&](const Access& access) {
    return access.epoch == Access::Epoch::lock && access.origin == origin &&
           (ended == Ended::all || is_get(access.kind));
  });
}

void Conflicts::end_exposure(int target) {
  at(target).erase_if([](const Access& access) { return access.epoch == Access::Epoch::group; });
}

// At the engine's now, so that the order of calls is that of simulated time. Elements that overlap each other are one
// access, so that all are looked at before any is noted.
void look_for_conflicts(Process& process, Window& window, const TargetArguments& target, AccessKind kind,
                        std::size_t bytes) {
  Conflicts* const conflicts = window.table->conflicts.get();
  if (conflicts == nullptr) [[likely]]
    return;
  const Conflicts::Access access = access_to(window, target, kind, name_of(process.call()));
  Thread::current()->settle();
  const std::byte* const memory = memory_at(window, target);
  const auto for_each_run = [&](const std::function<bool(const Run&)>& visit) {
    const Layout& layout = *map_of(target.type)->layout();
    visit_runs(layout, target.type.extent, 0, bytes, visit);
  };
  for_each_run([&](const Run& run) {
    if (const auto* earlier = conflicts->find(target.rank, memory + run.offset, run.bytes, access))
      refuse_conflict(window, target, *earlier);
    return true;
  });
  if (kind == AccessKind::get_with_request) return;
  for_each_run([&](const Run& run) {
    conflicts->begin(target.rank, memory + run.offset, run.bytes, access);
    return true;
  });
}

void end_locked_accesses(Window& window, int target, Conflicts::Ended ended) {
  if (window.table->conflicts == nullptr) return;
  Thread::current()->settle();
  for (int rank = 0; rank < window.size(); ++rank)
    if (target == Answers::all_targets || rank == target)
      window.table->conflicts->end_locked(rank, window.rank(), ended);
}

void end_exposed_accesses(Window& window) {
  if (window.table->conflicts != nullptr) window.table->conflicts->end_exposure(window.rank());
}

}  // namespace hindcast::mpi
