#include "simulator/programs/this_computer/measured_computation.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "simulator/engine/report.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/clock_limit.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

bool is_computation_measured = false;

namespace {

const StepKind measured{"computation as measured", ""};
const StepKind counted{"computation by instructions", "processor.flop_rate"};

MeasuredComputation measuring;
int instruction_counter = -1;
std::uint64_t begun_at = 0;
std::uint64_t empty_stretch_ns = 0;  // what is measured where nothing is computed

std::uint64_t processor_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t instructions() {
  std::uint64_t count = 0;
  return read(instruction_counter, &count, sizeof count) == sizeof count ? count : 0;
}

bool is_known() { return measuring.stretches != nullptr && measuring.stretches->are_known(); }

std::uint64_t now() {
  if (is_known()) return 0;
  return measuring.what == Measuring::time ? processor_time_ns() : instructions();
}

// To read the clock takes a microsecond on some computers, which is more than many a stretch and would be taken times
// the factor. The least of many is what no interruption is in.
std::uint64_t measure_empty_stretch() {
  constexpr int tries = 1000;
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < tries; ++i) {
    const std::uint64_t begin = processor_time_ns();
    least = std::min(least, processor_time_ns() - begin);
  }
  return least;
}

void open_instruction_counter() {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  instruction_counter = static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (instruction_counter < 0)
    throw std::runtime_error(
        fmt::format("--compute counted: this computer does not count instructions for you ({}; "
                    "/proc/sys/kernel/perf_event_paranoid "
                    "says who may); --compute measured:FACTOR needs no counter",
                    std::strerror(errno)));
}

[[noreturn]] void end_run(const Thread& thread, const std::string& what) {
  RunningProgram::of(thread.rank()).launch().abort_run(1, fmt::format("rank {}: {}", thread.rank().id, what));
}

Time time_taken(const Thread& thread, std::uint64_t measured_ns) {
  const double seconds = static_cast<double>(measured_ns) * 1e-9 * measuring.factor;
  if (!is_within_clock(thread, seconds))
    end_run(thread, fmt::format("--compute {} makes {} s of {} ns at {}: more than {}",
                                is_known() ? fmt::format("recorded, times {},", measuring.factor)
                                           : fmt::format("measured:{}", measuring.factor),
                                seconds, measured_ns, to_text(thread.clock()), clock_limit_in_words));
  return Time::from_seconds(seconds);
}

std::uint64_t charged_before(const char* call, const Thread& thread) {
  const std::uint64_t measured_by_now = now() - begun_at;
  const std::uint64_t passed = measured_by_now - std::min(measured_by_now, empty_stretch_ns);
  if (measuring.stretches == nullptr) return passed;
  std::string refusal;
  try {
    return measuring.stretches->charged_before(call, thread, passed);
  } catch (const std::runtime_error& error) {
    refusal = error.what();
  }
  end_run(thread, refusal);  // no longer in the handler, as the run ends on another stack
}

}  // namespace

void measure_computation(const MeasuredComputation& wanted) {
  measuring = wanted;
  if (wanted.what == Measuring::instructions && !is_known()) open_instruction_counter();
  empty_stretch_ns = wanted.what == Measuring::time && !is_known() ? measure_empty_stretch() : 0;
  is_computation_measured = wanted.what != Measuring::nothing;
}

void begin_stretch() { begun_at = now(); }

void charge_stretch(const char* call) {
  Thread& thread = *Thread::current();
  const std::uint64_t charged = charged_before(call, thread);
  if (measuring.what == Measuring::time)
    thread.spend(measured, time_taken(thread, charged));
  else
    thread.spend(counted, RunningProgram::of(thread.rank()).costs().flops.time_for(charged), 0, charged);
  begin_stretch();
}

}  // namespace hindcast::programs
