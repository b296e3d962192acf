#include "simulator/programs/this_computer/standing_clock.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include "simulator/engine/report.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/this_computer/processor_ticks.hpp"

namespace hindcast::programs {

namespace {

constexpr int seconds_told = 5;
// A thread whose clock has moved by less than this part of them may as well stand: it would need an hour of this
// computer's time to come seconds further.
constexpr std::int64_t part_moved = 1000;

// The thread that every tick since has found running.
struct LongRun {
  const Thread* thread = nullptr;
  Time clock;  // when it was found first
  int seconds = 0;
};

LongRun computing;
timer_t clock_ticks;

bool is_standing(const Thread& thread) {
  const Time told_below = Time::from_seconds(double{seconds_told} / part_moved);
  if (&thread != computing.thread || thread.clock() - computing.clock >= told_below) {
    computing = {&thread, thread.clock()};
    return false;
  }
  return ++computing.seconds >= seconds_told;
}

void tell(RunningProgram& program, const Thread& thread) {
  program.launch().output().say(
      fmt::format("rank {} has computed for {} s of this computer's time, and its clock has come from {} to {}: "
                  "computation takes no simulated time unless it is declared (hindcast.h) or measured (--compute "
                  "measured:FACTOR), and a program that goes on until some time has passed may not end (Ctrl-C says "
                  "where it is, --max-host-time ends it)",
                  program.rank().id, computing.seconds, to_text(computing.clock), to_text(thread.clock())));
}

void look_at_clock(int, siginfo_t*, void* context_pointer) {
  RunningProgram* const program = RunningProgram::current();
  Thread* const thread = program != nullptr ? Thread::current() : nullptr;
  if (thread == nullptr || thread->is_off_stack() || program->is_dying || program->launch().is_computation_declared()) {
    computing = {};
    return;
  }
  if (!is_standing(*thread)) return;
  const auto& registers = static_cast<const ucontext_t*>(context_pointer)->uc_mcontext.gregs;
  // Where the program itself is amid its own code, nothing of ours and nothing of libc's is half done.
  if (!is_in_program(program->loader(), program->slot(), reinterpret_cast<void*>(registers[REG_RIP]))) return;
  stop_ticks(clock_ticks);
  tell(*program, *thread);
}

}  // namespace

void tell_of_standing_clock() { clock_ticks = start_ticks(SIGRTMAX - 2, {1, 0}, look_at_clock); }

}  // namespace hindcast::programs
