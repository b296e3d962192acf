// Shares with something more to them: reductions of tasks, memory for all members, and iterations that wait for each
// other (doacross).
#include <algorithm>
#include <cstdarg>

#include "simulator/programs/openmp/reductions.hpp"
#include "simulator/programs/openmp/shares.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs::openmp {

namespace {

// libgomp's numbers. What has none is left to the run; one that is any ("auto") is in blocks.
struct Wanted {
  Schedule schedule;
  long chunk;
};
Wanted schedule_wanted(long kind, long chunk) {
  switch (kind & INT32_MAX) {
    case 1:
      return {Schedule::in_blocks, chunk};
    case 2:
      return {Schedule::dynamic, chunk};
    case 3:
      return {Schedule::guided, chunk};
    case 4:
      return {Schedule::in_blocks, 0};
    default: {
      const ScheduleOfRun& of_run = Runtime::settings("a loop of OpenMP").schedule;
      return {of_run.schedule, of_run.chunk};
    }
  }
}

// Of the share that the member has come to; `memory` says how many bytes, and then where they are.
void prepare(Member& member, WorkShare& share, std::uintptr_t* reductions, void** memory) {
  if (reductions != nullptr) {
    begin_share_group(member);
    register_for_share(member, share, reductions);
  }
  if (memory == nullptr) return;
  const auto bytes = reinterpret_cast<std::uintptr_t>(*memory);
  if (share.memory.empty()) share.memory.resize(bytes / sizeof(std::max_align_t) + 1, std::max_align_t{});
  *memory = share.memory.data();
}

template <typename Number>
bool start_prepared(const WorkShare& described, std::uintptr_t* reductions, void** memory, Number* begin, Number* end) {
  Member& member = Runtime::member("a loop of OpenMP");
  prepare(member, begin_share(member, described), reductions, memory);
  return begin == nullptr || next_of_loop(begin, end);
}

template <typename Number>
WorkShare doacross_loop(unsigned dimensions, const Number* counts, Schedule schedule, long chunk) {
  const auto outermost = static_cast<std::uint64_t>(counts[0]);
  WorkShare share = numbered(0, outermost, schedule, static_cast<std::uint64_t>(chunk));
  share.counts.assign(counts, counts + dimensions);
  share.posted.assign(outermost, 0);
  return share;
}

// How far the inner loops are, from 1 on.
template <typename NextIndex>
std::uint64_t steps_within(const WorkShare& share, NextIndex next_index) {
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i < share.counts.size(); ++i) steps = steps * share.counts[i] + next_index();
  return steps + 1;
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs;
using namespace hindcast::programs::openmp;

extern "C" {

bool hindcast_GOMP_loop_start(long begin, long end, long step, long kind, long chunk, long* from, long* to,
                              std::uintptr_t* reductions, void** memory) {
  const Wanted wanted = schedule_wanted(kind, chunk);
  return start_prepared(signed_loop(begin, end, step, wanted.schedule, wanted.chunk), reductions, memory, from, to);
}
bool hindcast_GOMP_loop_ull_start(bool up, unsigned long long begin, unsigned long long end, unsigned long long step,
                                  long kind, unsigned long long chunk, unsigned long long* from, unsigned long long* to,
                                  std::uintptr_t* reductions, void** memory) {
  const Wanted wanted = schedule_wanted(kind, static_cast<long>(chunk));
  const auto pieces = static_cast<unsigned long long>(wanted.chunk);
  return start_prepared(unsigned_loop(up, begin, end, step, wanted.schedule, pieces), reductions, memory, from, to);
}

unsigned hindcast_GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  Member& member = Runtime::member("sections");
  prepare(member, begin_share(member, numbered(1, count, Schedule::dynamic, 1)), reductions, memory);
  unsigned long long begin = 0, end = 0;
  return next_of_loop(&begin, &end) ? static_cast<unsigned>(begin) : 0;
}

// Nothing is shared out; the share is there for what its first member has registered.
void hindcast_GOMP_scope_start(std::uintptr_t* reductions) {
  Member& member = Runtime::member("scope");
  prepare(member, begin_share(member, WorkShare{}), reductions, nullptr);
  end_share(member);
}

// --- doacross ---

bool hindcast_GOMP_loop_doacross_start(unsigned dimensions, const long* counts, long kind, long chunk, long* from,
                                       long* to, std::uintptr_t* reductions, void** memory) {
  const Wanted wanted = schedule_wanted(kind, chunk);
  return start_prepared(doacross_loop(dimensions, counts, wanted.schedule, wanted.chunk), reductions, memory, from, to);
}
bool hindcast_GOMP_loop_doacross_static_start(unsigned dimensions, const long* counts, long chunk, long* from,
                                              long* to) {
  return hindcast_GOMP_loop_doacross_start(dimensions, counts, 1, chunk, from, to, nullptr, nullptr);
}
bool hindcast_GOMP_loop_doacross_dynamic_start(unsigned dimensions, const long* counts, long chunk, long* from,
                                               long* to) {
  return hindcast_GOMP_loop_doacross_start(dimensions, counts, 2, chunk, from, to, nullptr, nullptr);
}
bool hindcast_GOMP_loop_doacross_guided_start(unsigned dimensions, const long* counts, long chunk, long* from,
                                              long* to) {
  return hindcast_GOMP_loop_doacross_start(dimensions, counts, 3, chunk, from, to, nullptr, nullptr);
}
bool hindcast_GOMP_loop_doacross_runtime_start(unsigned dimensions, const long* counts, long* from, long* to) {
  return hindcast_GOMP_loop_doacross_start(dimensions, counts, 0, 0, from, to, nullptr, nullptr);
}

void hindcast_GOMP_doacross_post(const long* indices) {
  const Member& member = Runtime::member("ordered depend(source)");
  WorkShare& share = share_of(member);
  const auto outermost = static_cast<std::uint64_t>(*indices++);
  share.posted.at(outermost) = steps_within(share, [&] { return static_cast<std::uint64_t>(*indices++); });
  Runtime::wake_all(share.waiting_for_order);
}

void hindcast_GOMP_doacross_wait(long first, ...) {
  Member& member = Runtime::member("ordered depend(sink)");
  WorkShare& share = share_of(member);
  va_list indices;
  va_start(indices, first);
  const std::uint64_t steps = steps_within(share, [&] { return static_cast<std::uint64_t>(va_arg(indices, long)); });
  va_end(indices);
  const std::uint64_t& posted = share.posted.at(static_cast<std::uint64_t>(first));
  ProgramThread& self = ProgramThreads::calling("ordered depend(sink)");
  while (posted < steps) {
    Waiter waiter(self);
    self.wait_in(share.waiting_for_order, waiter, PlainWait(self.threads, "ordered depend(sink)"));
  }
}

}  // extern "C"
