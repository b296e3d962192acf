// Parallel regions, and what their threads share out among them.
#include <algorithm>

#include "simulator/programs/openmp/shares.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs::openmp {

namespace {

// As OMP_SCHEDULE or omp_set_schedule has it.
Schedule schedule_of_run() { return Runtime::settings("a loop of OpenMP").schedule.schedule; }
int chunk_of_run() { return Runtime::settings("a loop of OpenMP").schedule.chunk; }

WorkShare sections(unsigned count) { return numbered(1, count, Schedule::dynamic, 1); }

unsigned next_section() {
  unsigned long long begin = 0, end = 0;
  return next_of_loop(&begin, &end) ? static_cast<unsigned>(begin) : 0;
}

void run_loop(Function function, void* data, unsigned threads, const WorkShare& share) {
  Runtime& runtime = Runtime::calling("a parallel loop");
  runtime.run_in_parallel(function, data, runtime.team_size(threads), &share);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs;
using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_GOMP_parallel(Function function, void* data, unsigned threads, unsigned) {
  Runtime& runtime = Runtime::calling("a parallel region");
  runtime.run_in_parallel(function, data, runtime.team_size(threads));
}
void hindcast_GOMP_barrier() { Runtime::barrier(Runtime::member("a barrier of OpenMP")); }

// --- loops ---

bool hindcast_GOMP_loop_static_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::in_blocks, chunk), from, to);
}
bool hindcast_GOMP_loop_dynamic_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::dynamic, chunk), from, to);
}
bool hindcast_GOMP_loop_guided_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::guided, chunk), from, to);
}
bool hindcast_GOMP_loop_runtime_start(long begin, long end, long step, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, schedule_of_run(), chunk_of_run()), from, to);
}
bool hindcast_GOMP_loop_next(long* from, long* to) { return next_of_loop(from, to); }

bool hindcast_GOMP_loop_ull_static_start(bool up, unsigned long long begin, unsigned long long end,
                                         unsigned long long step, unsigned long long chunk, unsigned long long* from,
                                         unsigned long long* to) {
  return start_loop(unsigned_loop(up, begin, end, step, Schedule::in_blocks, chunk), from, to);
}
bool hindcast_GOMP_loop_ull_dynamic_start(bool up, unsigned long long begin, unsigned long long end,
                                          unsigned long long step, unsigned long long chunk, unsigned long long* from,
                                          unsigned long long* to) {
  return start_loop(unsigned_loop(up, begin, end, step, Schedule::dynamic, chunk), from, to);
}
bool hindcast_GOMP_loop_ull_guided_start(bool up, unsigned long long begin, unsigned long long end,
                                         unsigned long long step, unsigned long long chunk, unsigned long long* from,
                                         unsigned long long* to) {
  return start_loop(unsigned_loop(up, begin, end, step, Schedule::guided, chunk), from, to);
}
bool hindcast_GOMP_loop_ull_runtime_start(bool up, unsigned long long begin, unsigned long long end,
                                          unsigned long long step, unsigned long long* from, unsigned long long* to) {
  const auto chunk = static_cast<unsigned long long>(chunk_of_run());
  return start_loop(unsigned_loop(up, begin, end, step, schedule_of_run(), chunk), from, to);
}
bool hindcast_GOMP_loop_ull_next(unsigned long long* from, unsigned long long* to) { return next_of_loop(from, to); }

void hindcast_GOMP_loop_end() { end_share_and_meet(); }
bool hindcast_GOMP_loop_end_cancel() { return end_share_and_meet(true); }
void hindcast_GOMP_loop_end_nowait() { end_share(Runtime::member("a loop of OpenMP")); }

void hindcast_GOMP_parallel_loop_static(Function function, void* data, unsigned threads, long begin, long end,
                                        long step, long chunk, unsigned) {
  run_loop(function, data, threads, signed_loop(begin, end, step, Schedule::in_blocks, chunk));
}
void hindcast_GOMP_parallel_loop_dynamic(Function function, void* data, unsigned threads, long begin, long end,
                                         long step, long chunk, unsigned) {
  run_loop(function, data, threads, signed_loop(begin, end, step, Schedule::dynamic, chunk));
}
void hindcast_GOMP_parallel_loop_guided(Function function, void* data, unsigned threads, long begin, long end,
                                        long step, long chunk, unsigned) {
  run_loop(function, data, threads, signed_loop(begin, end, step, Schedule::guided, chunk));
}
void hindcast_GOMP_parallel_loop_runtime(Function function, void* data, unsigned threads, long begin, long end,
                                         long step, unsigned) {
  run_loop(function, data, threads, signed_loop(begin, end, step, schedule_of_run(), chunk_of_run()));
}

// --- in order ---

void hindcast_GOMP_ordered_start() {
  Member& member = Runtime::member("ordered");
  ProgramThread& self = ProgramThreads::calling("ordered");
  if (member.team->size == 1 || !member.has_piece) return;
  WorkShare& share = share_of(member);
  while (share.piece_in_order != member.piece) {
    Waiter waiter(self);
    self.wait_in(share.waiting_for_order, waiter, PlainWait(self.threads, "ordered"));
  }
}
void hindcast_GOMP_ordered_end() {}

// --- sections, and what one does ---

unsigned hindcast_GOMP_sections_start(unsigned count) {
  begin_share(Runtime::member("sections"), sections(count));
  return next_section();
}
unsigned hindcast_GOMP_sections_next() { return next_section(); }
void hindcast_GOMP_sections_end() { end_share_and_meet(); }
bool hindcast_GOMP_sections_end_cancel() { return end_share_and_meet(true); }
void hindcast_GOMP_sections_end_nowait() { end_share(Runtime::member("sections")); }
void hindcast_GOMP_parallel_sections(Function function, void* data, unsigned threads, unsigned count, unsigned) {
  run_loop(function, data, threads, sections(count));
}

bool hindcast_GOMP_single_start() {
  Member& member = Runtime::member("single");
  begin_share(member, sections(1));
  const bool is_first = next_section() != 0;
  end_share(member);
  return is_first;
}
// The one gives its copy to the others, who wait for it.
void* hindcast_GOMP_single_copy_start() {
  Member& member = Runtime::member("single");
  begin_share(member, sections(1));
  if (next_section() != 0) return nullptr;
  Runtime::barrier(member);
  void* const copied = share_of(member).copied;
  end_share(member);
  return copied;
}
void hindcast_GOMP_single_copy_end(void* data) {
  Member& member = Runtime::member("single");
  share_of(member).copied = data;
  Runtime::barrier(member);
  end_share(member);
}

}  // extern "C"
