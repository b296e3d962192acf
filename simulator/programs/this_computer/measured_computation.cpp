#include "simulator/programs/this_computer/measured_computation.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

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

Measuring measured_by = Measuring::nothing;
double factor_of_time = 1;
int instruction_counter = -1;
std::uint64_t begun_at = 0;

std::uint64_t processor_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t instructions() {
  std::uint64_t count = 0;
  return read(instruction_counter, &count, sizeof count) == sizeof count ? count : 0;
}

std::uint64_t now() { return measured_by == Measuring::time ? processor_time_ns() : instructions(); }

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

Time time_taken(const Thread& thread, std::uint64_t measured_ns) {
  const double seconds = static_cast<double>(measured_ns) * 1e-9 * factor_of_time;
  if (!is_within_clock(thread, seconds))
    RunningProgram::of(thread.rank())
        .launch()
        .abort_run(
            1, fmt::format("rank {}: --compute measured:{} makes {} s of {} ns at {}: more than {}", thread.rank().id,
                           factor_of_time, seconds, measured_ns, to_text(thread.clock()), clock_limit_in_words));
  return Time::from_seconds(seconds);
}

}  // namespace

void measure_computation(Measuring what, double factor) {
  measured_by = what;
  factor_of_time = factor;
  if (what == Measuring::instructions) open_instruction_counter();
  is_computation_measured = what != Measuring::nothing;
}

void begin_stretch() { begun_at = now(); }

void charge_stretch() {
  const std::uint64_t passed = now() - begun_at;
  Thread& thread = *Thread::current();
  if (measured_by == Measuring::time)
    thread.spend(measured, time_taken(thread, passed));
  else
    thread.spend(counted, RunningProgram::of(thread.rank()).costs().flops.time_for(passed), 0, passed);
  begin_stretch();
}

}  // namespace hindcast::programs
