#include "simulator/programs/process/crash.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "simulator/engine/report.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/out_of_handler.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

constexpr std::array fatal_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t frames_max = 64;

// What the handler finds out, for the rank to act on once it is out of the handler.
struct Crash {
  siginfo_t info;
  bool is_stack_overflow;
  bool has_handler_to_look_for;
  int frame_count;
  std::array<void*, frames_max> frames;
};

// A fault of the handler's own, or of the report's, must not be handled in the same way.
bool is_handling = false;
Output* output_to_flush = nullptr;

const char* name_of(const siginfo_t& info) {
  if (info.si_signo == SIGFPE && info.si_code == FPE_INTDIV) return "Integer division by zero";
  return strsignal(info.si_signo);
}

// The handler's own frames come first; then the faulting instruction, and who called it.
void collect_frames(Crash& crash, const ucontext_t& context) {
  const auto instruction = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  std::array<void*, frames_max> all;
  const int count = backtrace(all.data(), static_cast<int>(all.size()));
  const auto end = all.begin() + count;
  const auto fault = std::find(all.begin(), end, reinterpret_cast<void*>(instruction));
  const bool called_through_bad_pointer = fault + 1 >= end;
  if (called_through_bad_pointer) {
    const auto* stack = reinterpret_cast<void* const*>(context.uc_mcontext.gregs[REG_RSP]);
    crash.frames = {reinterpret_cast<void*>(instruction), *stack};
    crash.frame_count = 2;
    return;
  }
  crash.frame_count = static_cast<int>(std::copy(fault, end, crash.frames.begin()) - crash.frames.begin());
}

[[noreturn]] void report_and_die(RunningProgram& program, const Crash& crash) {
  program.is_dying = true;
  Thread::current()->work_off_backlog();
  const std::vector<void*> frames(crash.frames.begin(), crash.frames.begin() + crash.frame_count);
  std::string report =
      fmt::format("rank {} on {}: {}{} at {}", program.rank().id, program.host_name(), name_of(crash.info),
                  crash.is_stack_overflow ? " (its stack overflowed; --stack makes it larger)" : "",
                  to_text(Thread::current()->clock()));
  for (const std::string& line : describe_frames(program.loader(), program.slot(), frames)) report += "\n  in " + line;
  program.finish_streams();
  if (CrashWitness* witness = program.crash_witness()) {
    program.launch().rank_dies_alone(128 + crash.info.si_signo, std::move(report));
    witness->has_crashed();
    Thread::current()->park();
  }
  program.launch().rank_dies(128 + crash.info.si_signo, std::move(report));
}

// Writes down below `in_use`, on a stack that goes on there, what happened.
Crash* record_below(std::uintptr_t in_use, const Crash& crash) {
  const std::uintptr_t record = (in_use - sizeof(Crash)) & ~std::uintptr_t{15};
  std::memcpy(reinterpret_cast<void*>(record), &crash, sizeof crash);
  return reinterpret_cast<Crash*>(record);
}

std::uintptr_t whole_stack_of(RunningProgram& program) {
  return reinterpret_cast<std::uintptr_t>(program.first_frame_of(*Thread::current()));
}

[[noreturn]] void report_recorded(Crash* crash) { report_and_die(*RunningProgram::current(), *crash); }

// A program's alternate stack may be too small for the report; the frames that overflowed are not needed any more.
[[noreturn]] void report_on_whole_stack(RunningProgram& program, const Crash& crash) {
  Crash* const record = record_below(whole_stack_of(program), crash);
  asm volatile("mov %0, %%rsp\n\tcall *%2" : : "r"(record), "D"(record), "r"(&report_recorded) : "memory");
  __builtin_unreachable();
}

bool has_handler(RunningProgram& program, int signal) {
  program.is_asked_for_handler = true;
  const bool has_one = program.entry_points().has_handler(signal) != 0;
  program.is_asked_for_handler = false;
  return has_one;
}

// On the rank's stack again, or the alternate one: its own handler may deal with the signal, by a jump or by exiting;
// if it returns, the fault would only come back.
[[noreturn]] void go_on_after(Crash* crash) {
  RunningProgram& program = *RunningProgram::current();
  if (crash->has_handler_to_look_for && has_handler(program, crash->info.si_signo))
    program.entry_points().deliver_signal(crash->info.si_signo, &crash->info);
  if (crash->is_stack_overflow) report_on_whole_stack(program, *crash);
  report_and_die(program, *crash);
}

// In the midst of the simulator's own work, which for a rank's sake mostly moves data, or of a rank's last deeds.
[[noreturn]] void end_at_once(int signal, const RunningProgram* dying) {
  flush_as_far_as_possible();
  if (dying != nullptr)
    dprintf(STDERR_FILENO, "hindcast: rank %d: %s while its end was told of: has it written beyond its memory?\n",
            dying->rank().id, strsignal(signal));
  else
    dprintf(STDERR_FILENO, "hindcast: %s while no rank ran: has one given away a buffer that is not there?\n",
            strsignal(signal));
  _exit(128 + signal);
}

// The guard lies right above the program's variables, so that a fault in it may be that of an array's overrun too.
// Where a stack overflows, its pointer has come to the stack's end.
bool is_stack_overflow(RunningProgram& program, const void* address, const void* stack_pointer) {
  constexpr std::size_t near_the_end = 4096;
  if (program.is_in_guard(stack_pointer)) return true;
  const auto* const end = static_cast<const std::byte*>(program.stack_of(*Thread::current()).bottom);
  return program.is_in_guard(address) && stack_pointer < end + near_the_end;
}

// Leaves the handler for a function on the rank's stack, below what the program has there. If there is no room left, it
// goes on on the program's alternate stack, from which it may jump back, or in place of all that the program has.
void go_on_with(Crash& crash, RunningProgram& program, ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  std::uintptr_t in_use = static_cast<std::uintptr_t>(registers[REG_RSP]) - red_zone;
  if (crash.is_stack_overflow) {
    const bool has_alternate = program.alternate_stack_end != nullptr;
    if (!has_alternate) tell_sanitizer_frames_are_gone(program.stack_of(*Thread::current()));
    in_use = has_alternate ? reinterpret_cast<std::uintptr_t>(program.alternate_stack_end) : whole_stack_of(program);
  }
  Crash* const record = record_below(in_use, crash);
  registers[REG_RDI] = reinterpret_cast<greg_t>(record);
  registers[REG_RSP] = reinterpret_cast<greg_t>(record) - static_cast<greg_t>(sizeof(void*));
  registers[REG_RIP] = reinterpret_cast<greg_t>(&go_on_after);
}

void handle(int signal, siginfo_t* info, void* context_pointer) {
  RunningProgram* program = RunningProgram::current();
  const bool is_on_its_stack = program != nullptr && !Thread::current()->is_off_stack();
  if (!is_on_its_stack || program->is_dying || is_handling)
    end_at_once(signal, is_on_its_stack && program->is_dying ? program : nullptr);
  is_handling = true;
  auto& context = *static_cast<ucontext_t*>(context_pointer);
  const auto* stack_pointer = reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RSP]);
  Crash crash{};
  crash.info = *info;
  crash.is_stack_overflow = signal == SIGSEGV && is_stack_overflow(*program, info->si_addr, stack_pointer);
  crash.has_handler_to_look_for = !program->is_asked_for_handler;
  program->is_asked_for_handler = false;
  collect_frames(crash, context);
  go_on_with(crash, *program, context);
  is_handling = false;
}

}  // namespace

void install_crash_handler() {
  constexpr std::size_t stack_bytes = 256 * 1024;
  stack_t stack{};
  stack.ss_size = stack_bytes;
  stack.ss_sp = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaltstack(&stack, nullptr);
  // Its first call loads the unwinder: not a thing to do in a handler.
  std::array<void*, 2> unused;
  backtrace(unused.data(), static_cast<int>(unused.size()));
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : fatal_signals) sigaction(signal, &action, nullptr);
}

void flush_at_crash(Output* output) { output_to_flush = output; }

void flush_as_far_as_possible() {
  static bool is_ending = false;
  if (output_to_flush == nullptr || is_ending) return;
  is_ending = true;
  output_to_flush->flush();
}

void die_of(int signal) {
  RunningProgram& program = *RunningProgram::current();
  Crash crash{};
  crash.info.si_signo = signal;
  crash.frame_count = backtrace(crash.frames.data(), static_cast<int>(crash.frames.size()));
  report_and_die(program, crash);
}

}  // namespace hindcast::programs

extern "C" void hindcast_rank_handles_overflow_on(void* end_of_stack) {
  hindcast::programs::RunningProgram::calling("sigaltstack").alternate_stack_end = end_of_stack;
}
