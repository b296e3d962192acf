// Parallel regions, and what their threads share out among them.
#include <algorithm>

#include "simulator/programs/openmp/team.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs::openmp {

namespace {

using Schedule = WorkShare::Schedule;

WorkShare& share_of(const Member& member) { return member.team->shares.at(member.own_share); }

// The next one in the member's program, which whoever comes first describes.
WorkShare& begin_share(Member& member, const WorkShare& described) {
  member.own_share = member.shares_begun++;
  member.own_pieces = 0;
  member.has_piece = false;
  return member.team->shares.try_emplace(member.own_share, described).first->second;
}

void piece_is_over(Member& member) {
  if (!std::exchange(member.has_piece, false)) return;
  WorkShare& share = share_of(member);
  share.pieces_over.insert(member.piece);
  while (share.pieces_over.erase(share.piece_in_order) > 0) ++share.piece_in_order;
  while (Waiter* const first = share.waiting_for_order.first()) grant(*first);
}

void end_share(Member& member) {
  piece_is_over(member);
  WorkShare& share = share_of(member);
  if (++share.has_left == member.team->size) member.team->shares.erase(member.own_share);
}

// In one block each, or in chunks by turns: which, depends on the member alone.
bool take_own(Member& member, const WorkShare& share, std::uint64_t& begin, std::uint64_t& end) {
  const std::uint64_t size = member.team->size;
  if (share.chunk == 0) {
    const std::uint64_t each = share.count / size, more = share.count % size, own = member.number;
    begin = own * each + std::min(own, more);
    end = begin + each + (own < more ? 1 : 0);
    return member.own_pieces++ == 0 && begin < end;
  }
  begin = (member.own_pieces++ * size + member.number) * share.chunk;
  end = std::min(begin + share.chunk, share.count);
  return begin < share.count;
}

bool take(Member& member, std::uint64_t& begin, std::uint64_t& end) {
  piece_is_over(member);
  WorkShare& share = share_of(member);
  if (share.schedule == Schedule::in_blocks) return take_own(member, share, begin, end);
  const std::uint64_t left = share.count - share.next;
  if (left == 0) return false;
  const std::uint64_t evenly = (left + member.team->size - 1) / member.team->size;
  const std::uint64_t wanted = std::max<std::uint64_t>(share.chunk, 1);
  begin = share.next;
  share.next += std::min(left, share.schedule == Schedule::guided ? std::max(evenly, wanted) : wanted);
  end = share.next;
  member.piece = share.pieces++;
  member.has_piece = true;
  return true;
}

// A loop by signed or unsigned numbers, upwards or downwards.
template <typename Number>
bool next_of_loop(Number* begin, Number* end) {
  Member& member = Runtime::member("a loop of OpenMP");
  std::uint64_t from = 0, to = 0;
  if (!take(member, from, to)) return false;
  const WorkShare& share = share_of(member);
  *begin = static_cast<Number>(share.first + from * share.step);
  *end = static_cast<Number>(share.first + to * share.step);
  return true;
}

WorkShare loop(std::uint64_t first, std::uint64_t count, std::uint64_t step, Schedule schedule, std::uint64_t chunk) {
  WorkShare share;
  share.first = first;
  share.count = count;
  share.step = step;
  share.schedule = schedule;
  share.chunk = chunk;
  return share;
}

WorkShare signed_loop(long begin, long end, long step, Schedule schedule, long chunk) {
  const long span = step > 0 ? end - begin + step - 1 : end - begin + step + 1;
  const bool is_empty = step > 0 ? begin >= end : begin <= end;
  return loop(static_cast<std::uint64_t>(begin), is_empty ? 0 : static_cast<std::uint64_t>(span / step),
              static_cast<std::uint64_t>(step), schedule, static_cast<std::uint64_t>(chunk));
}

WorkShare unsigned_loop(bool up, unsigned long long begin, unsigned long long end, unsigned long long step,
                        Schedule schedule, unsigned long long chunk) {
  const bool is_empty = up ? begin >= end : begin <= end;
  const unsigned long long stride = up ? step : -step;
  const unsigned long long span = up ? end - begin : begin - end;
  return loop(begin, is_empty ? 0 : (span + stride - 1) / stride, step, schedule, chunk);
}

template <typename Number>
bool start_loop(const WorkShare& described, Number* begin, Number* end) {
  begin_share(Runtime::member("a loop of OpenMP"), described);
  return next_of_loop(begin, end);
}

// As OMP_SCHEDULE or omp_set_schedule has it.
Schedule schedule_of_run() { return Runtime::calling("a loop of OpenMP").schedule; }
int chunk_of_run() { return Runtime::calling("a loop of OpenMP").chunk; }

// What comes in order is given out in order, whatever the schedule.
Schedule in_order(Schedule schedule) { return schedule == Schedule::in_blocks ? Schedule::dynamic : schedule; }

WorkShare sections(unsigned count) { return loop(1, count, 1, Schedule::dynamic, 1); }

unsigned next_section() {
  unsigned long long begin = 0, end = 0;
  return next_of_loop(&begin, &end) ? static_cast<unsigned>(begin) : 0;
}

void end_and_meet() {
  Member& member = Runtime::member("a barrier of OpenMP");
  end_share(member);
  Runtime::barrier(member);
}

void run_loop(Function function, void* data, unsigned threads, const WorkShare& share) {
  Runtime::calling("a parallel loop").run_in_parallel(function, data, threads, &share);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs;
using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_GOMP_parallel(Function function, void* data, unsigned threads, unsigned) {
  Runtime::calling("a parallel region").run_in_parallel(function, data, threads);
}
void hindcast_GOMP_barrier() { Runtime::barrier(Runtime::member("a barrier of OpenMP")); }
bool hindcast_GOMP_barrier_cancel() {
  hindcast_GOMP_barrier();
  return false;
}
// Nothing is cancelled unless OMP_CANCELLATION asks for it, which is not looked at.
bool hindcast_GOMP_cancel(int, bool) { return false; }
bool hindcast_GOMP_cancellation_point(int) { return false; }

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
bool hindcast_GOMP_loop_ordered_dynamic_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::dynamic, chunk), from, to);
}
bool hindcast_GOMP_loop_ordered_static_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::dynamic, chunk), from, to);
}
bool hindcast_GOMP_loop_ordered_guided_start(long begin, long end, long step, long chunk, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, Schedule::guided, chunk), from, to);
}
bool hindcast_GOMP_loop_ordered_runtime_start(long begin, long end, long step, long* from, long* to) {
  return start_loop(signed_loop(begin, end, step, in_order(schedule_of_run()), chunk_of_run()), from, to);
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

void hindcast_GOMP_loop_end() { end_and_meet(); }
bool hindcast_GOMP_loop_end_cancel() {
  end_and_meet();
  return false;
}
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
void hindcast_GOMP_sections_end() { end_and_meet(); }
bool hindcast_GOMP_sections_end_cancel() {
  end_and_meet();
  return false;
}
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
