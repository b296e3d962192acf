// What programs ask of the library by way of the archive that is linked into them, and hindcast.h.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "include/hindcast.h"
#include "simulator/engine/report.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/clock_limit.hpp"
#include "simulator/programs/process/crash.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

namespace {

RunningProgram& caller(const char* function) { return RunningProgram::calling(function); }

const StepKind flops{"computation by operations", "processor.flop_rate"};
const StepKind memory_bytes{"computation by bytes", "processor.memory_bandwidth"};
const StepKind computation{"computation by time", ""};

void spend_seconds(RunningProgram& program, const StepKind& kind, const char* function, double seconds) {
  if (!is_within_clock(*Thread::current(), seconds)) refuse_beyond_clock(program, function, seconds);
  Thread::current()->spend(kind, Time::from_seconds(seconds));
  program.let_cancelled_thread_leave(false);
}

// Computation that the program says it does, in whole units of work.
void spend_work(RunningProgram& program, const StepKind& kind, const char* function, double units, Rate rate) {
  program.launch().computation_is_declared();
  if (program.launch().options().compute_is_free || !(units > 0)) return;
  constexpr double exact = 9e15;
  if (units < exact && units < exact * 1e-9 * rate.in_units_per_second()) {
    const auto whole = static_cast<std::uint64_t>(std::llround(units));
    const Time passing = rate.time_for(whole);
    if (!is_within_clock(*Thread::current(), passing)) [[unlikely]]
      refuse_beyond_clock(program, function, passing.in_seconds());
    Thread::current()->spend(kind, passing, 0, whole);
    program.let_cancelled_thread_leave(false);
  } else {
    spend_seconds(program, kind, function, units / rate.in_units_per_second());
  }
}

}  // namespace

void refuse_beyond_clock(RunningProgram& program, const char* function, double seconds) {
  program.launch().abort_run(1, fmt::format("rank {}: {} for {} s at {}: more than {}", program.rank().id, function,
                                            seconds, to_text(Thread::current()->clock()), clock_limit_in_words));
}

}  // namespace hindcast::programs

using namespace hindcast;
using programs::caller;
using programs::RunningProgram;

extern "C" {

void hindcast_rank_leave(int status) { caller("exit").leave(status); }
void hindcast_rank_run_finalisers(void) { caller("exit").run_finalisers(); }
void hindcast_rank_die(int signal) {
  caller("abort");
  programs::die_of(signal);
}

FILE* hindcast_rank_reopen(const char* path, const char* mode, FILE* stream) {
  return caller("freopen").reopen(path, mode, stream);
}

const char* hindcast_rank_known_host(const char* name) {
  return name != nullptr && caller("a host's address").launch().is_host(name) ? "127.0.0.1" : name;
}

void hindcast_compute_flops(double flops) {
  RunningProgram& program = caller("hindcast_compute_flops");
  programs::spend_work(program, programs::flops, "hindcast_compute_flops", flops, program.costs().flops);
}
void hindcast_compute_bytes(double bytes) {
  RunningProgram& program = caller("hindcast_compute_bytes");
  programs::spend_work(program, programs::memory_bytes, "hindcast_compute_bytes", bytes, program.costs().memory);
}
void hindcast_compute_seconds(double seconds) {
  RunningProgram& program = caller("hindcast_compute_seconds");
  program.launch().computation_is_declared();
  if (program.launch().options().compute_is_free || !(seconds > 0)) return;
  programs::spend_seconds(program, programs::computation, "hindcast_compute_seconds", seconds);
}

void hindcast_touch_memory(const void* address, double bytes) {
  const RunningProgram& program = caller("hindcast_touch_memory");
  TouchedMemory* const memory = program.rank().touched_memory;
  if (memory == nullptr || !(bytes > 0)) return;
  constexpr double most = 9e15;
  memory->touched(*Thread::current(), address, Bytes(static_cast<std::uint64_t>(std::min(bytes, most))));
}

// From Fortran, whose names have an underscore: include/hindcast.f90.
HINDCAST_EXPORTED void hindcast_compute_flops_(const double* flops) { hindcast_compute_flops(*flops); }
HINDCAST_EXPORTED void hindcast_compute_bytes_(const double* bytes) { hindcast_compute_bytes(*bytes); }
HINDCAST_EXPORTED void hindcast_touch_memory_(const void* address, const double* bytes) {
  hindcast_touch_memory(address, *bytes);
}
HINDCAST_EXPORTED void hindcast_compute_seconds_(const double* seconds) { hindcast_compute_seconds(*seconds); }

}  // extern "C"
