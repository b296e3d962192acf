#include "simulator/programs/clocks/simulated_clocks.hpp"

#include "simulator/engine/thread.hpp"
#include "simulator/programs/process/clock_limit.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

namespace {

const StepKind sleep_step{"sleep", ""};
const StepKind yield_step{"yield", "processor.poll"};
const StepKind clock_read{"clock read", "processor.clock_read"};

class Yielding final : public Wait {
  BlockedOn describe() const override { return {"sched_yield", {}, {}}; }
};

}  // namespace

std::int64_t read_clock_ns() {
  const Time cost = RunningProgram::calling("a clock").costs().clock_read;
  Thread& thread = *Thread::current();
  thread.spend(clock_read, cost);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_ps() / 1000;
}

std::int64_t sleep_ns(std::int64_t duration) {
  RunningProgram& program = RunningProgram::calling("sleep");
  if (duration <= 0) return 0;
  // In whole numbers: a program sees the flags of the processor's arithmetic.
  if (duration > clock_limit.in_ps() / 1000 || !is_within_clock(*Thread::current(), Time::ns(duration)))
    refuse_beyond_clock(program, "sleep", static_cast<double>(duration) * 1e-9);
  if (program.has_threads()) return program.threads().sleep(sleep_step, Time::ns(duration)).in_ps() / 1000;
  Thread::current()->spend_idly(sleep_step, Time::ns(duration));
  return 0;
}

// Who yields again and again waits for what somebody else will set, another rank's put for one: it comes first.
void yield() {
  const Time cost = RunningProgram::calling("sched_yield").costs().yield;
  static const Yielding yielding;
  Thread::current()->spend(yield_step, cost, 0, 0, &yielding);
  Thread::current()->settle(&yielding);
}

}  // namespace hindcast::programs
