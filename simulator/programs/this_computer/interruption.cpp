#include "simulator/programs/this_computer/interruption.hpp"

#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/crash.hpp"
#include "simulator/programs/process/out_of_handler.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

namespace {

constexpr std::array<int, 3> ending_signals = {SIGINT, SIGTERM, SIGHUP};
constexpr long tick_ns = 50'000'000;
// A rank that has been seen so often outside of its program does not come back: it is stopped there.
constexpr int ticks_outside_max = 40;
// Whoever sends a signal to a process and to its group, as timeout does, has it arrive twice.
constexpr long same_signal_ns = 300'000'000;
// An engine that has been asked to end the run and has not begun to by then does not come round to it: a program's
// constructor loops, or an instant has no end.
constexpr long patience_ns = 5'000'000'000;

Engine* engine_to_end = nullptr;
timer_t host_timer;
bool has_timer = false;
volatile sig_atomic_t ended_by = 0;  // no signal: the time given to the run is over
timespec asked_to_end_at{};
volatile sig_atomic_t has_end_begun = 0;
int ticks_outside = 0;
void* stopped_at = nullptr;

int tick_signal() { return SIGRTMAX; }

void make_timer() {
  if (has_timer) return;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = tick_signal();
  if (timer_create(CLOCK_MONOTONIC, &event, &host_timer) != 0) throw std::runtime_error("no timer to be had");
  has_timer = true;
}

itimerspec every_tick_after(time_t seconds, long ns) { return {{0, tick_ns}, {seconds, ns}}; }

// On the rank's stack, out of the handler.
[[noreturn]] void stop_here() {
  RunningProgram& program = *RunningProgram::current();
  auto* const after = static_cast<std::byte*>(stopped_at) + 1;  // as if it were a return address
  program.launch().keep_place(*Thread::current(), {after});
  Thread::current()->stop_computing();
}

void stop_if_computing(ucontext_t& context) {
  RunningProgram* program = RunningProgram::current();
  if (program == nullptr || program->is_dying || Thread::current()->is_off_stack()) return;
  auto* instruction = reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
  if (!is_in_program(program->loader(), program->slot(), instruction) && ++ticks_outside < ticks_outside_max) return;
  stopped_at = instruction;
  go_on_in(context, stop_here);
}

long ns_since(const timespec& begin) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - begin.tv_sec) * 1'000'000'000 + now.tv_nsec - begin.tv_nsec;
}

bool is_end_insisted_on() { return engine_to_end->is_end_requested() && ns_since(asked_to_end_at) > same_signal_ns; }

bool is_end_overdue() {
  return has_end_begun == 0 && engine_to_end->is_end_requested() && ns_since(asked_to_end_at) > patience_ns;
}

[[noreturn]] void end_without_engine() {
  flush_as_far_as_possible();
  dprintf(STDERR_FILENO, "hindcast: the run was to end, and has not begun to for %ld s: it is ended where it is\n",
          patience_ns / 1'000'000'000);
  _exit(status_of_interrupted());
}

void interrupt(int signal, siginfo_t*, void* context) {
  const bool asks_to_end = signal != tick_signal();
  if (asks_to_end) ended_by = signal;
  if (engine_to_end == nullptr || (asks_to_end && is_end_insisted_on())) _exit(status_of_interrupted());
  if (!engine_to_end->is_end_requested()) {
    clock_gettime(CLOCK_MONOTONIC, &asked_to_end_at);
    engine_to_end->request_end(asks_to_end ? Ending::interrupted : Ending::out_of_host_time);
    const itimerspec ticks = every_tick_after(0, tick_ns);
    timer_settime(host_timer, 0, &ticks, nullptr);
  }
  if (is_end_overdue()) end_without_engine();
  stop_if_computing(*static_cast<ucontext_t*>(context));
}

void set_handler(int signal) {
  struct sigaction action {};
  action.sa_sigaction = interrupt;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void end_run_at_interrupt(Engine& engine) {
  engine_to_end = &engine;
  make_timer();
  set_handler(tick_signal());
  for (const int signal : ending_signals) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) set_handler(signal);  // as Ctrl-C is by a shell's job in the background
  }
}

int status_of_interrupted() { return ended_by != 0 ? 128 + ended_by : 1; }

void end_run_after_host_time(Engine& engine, double seconds) {
  engine_to_end = &engine;
  make_timer();
  set_handler(tick_signal());
  const double whole = std::floor(seconds);
  const itimerspec time = every_tick_after(static_cast<time_t>(whole), std::lround((seconds - whole) * 1e9));
  timer_settime(host_timer, 0, &time, nullptr);
}

void tell_end_has_begun() { has_end_begun = 1; }

void forget_engine() { engine_to_end = nullptr; }

}  // namespace hindcast::programs
