#include "simulator/programs/this_computer/spinning.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/out_of_handler.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/this_computer/processor_ticks.hpp"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

namespace {

constexpr long spin_tick_ns = 100'000'000;
constexpr double ticks_a_second = 1e9 / spin_tick_ns;

// The thread that runs, as the last tick has found it. One that gives way, or for which time passes, is not found so
// again.
struct Stretch {
  const Thread* thread = nullptr;
  Time clock;
  Time now;
  int ticks = 0;
};

Stretch stretch;
double spin_seconds_max = 0;
void* spinning_at = nullptr;

// On the thread's stack, out of the handler.
[[noreturn]] void end_here() {
  RunningProgram& program = *RunningProgram::current();
  const Thread& thread = *Thread::current();
  const auto* after = static_cast<const std::byte*>(spinning_at) + 1;  // as if it were a return address
  const std::string place = describe_innermost(program.loader(), program.slot(), {const_cast<std::byte*>(after)});
  program.launch().abort_run(
      1,
      fmt::format("rank {}: thread {} has computed for {} s of this computer's time{} without giving way, while others "
                  "of its rank could run; if it looks for what they would set, sched_yield or a lock lets them "
                  "(--max-spin says how long it may compute)",
                  program.rank().id, thread.index(), spin_seconds_max, place.empty() ? "" : ", in " + place));
}

void look(int, siginfo_t*, void* context_pointer) {
  RunningProgram* program = RunningProgram::current();
  Thread* thread = program != nullptr ? Thread::current() : nullptr;
  if (thread == nullptr || thread->is_off_stack() || program->is_dying) {
    stretch = {};
    return;
  }
  const Time now = thread->engine().now();
  if (thread != stretch.thread || thread->clock() != stretch.clock || now != stretch.now)
    stretch = {thread, thread->clock(), now};
  if (++stretch.ticks < spin_seconds_max * ticks_a_second) return;
  if (!program->has_threads() || !program->threads().could_others_run(*thread)) return;
  auto& context = *static_cast<ucontext_t*>(context_pointer);
  auto* instruction = reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
  if (!is_in_program(program->loader(), program->slot(), instruction)) return;  // at a later tick
  program->is_dying = true;
  spinning_at = instruction;
  go_on_in(context, end_here);
}

}  // namespace

void end_run_at_spinning(double seconds) {
  if (spin_seconds_max > 0 || seconds <= 0) return;
  spin_seconds_max = seconds;
  start_ticks(SIGRTMAX - 1, {0, spin_tick_ns}, look);
}

}  // namespace hindcast::programs
