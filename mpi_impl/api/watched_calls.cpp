#include "mpi_impl/api/watched_calls.hpp"

#include <deque>
#include <map>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/this_computer/measured_computation.hpp"

namespace hindcast::mpi {

bool are_calls_watched = false;

namespace {

WatchedCalls watched;

struct Kinds {
  std::deque<StepKind> all;
  std::map<const Call*, const StepKind*> of_call;
};
Kinds marks_of_calls;

const StepKind& kind_of(const Call& call) {
  const StepKind*& kind = marks_of_calls.of_call[&call];
  if (kind == nullptr) kind = &marks_of_calls.all.emplace_back(StepKind{call.name, ""});
  return *kind;
}

void mark(const Call& call, std::uint64_t returns) {
  if (watched.are_marked) Thread::current()->mark(kind_of(call), 0, returns, -1);
}

// Null unless the calling rank counts its calls.
Tools* counting_tools() {
  Process* process = calling_process();
  Tools* tools = process != nullptr ? process->tools_in_use() : nullptr;
  return tools != nullptr && tools->counts_calls ? tools : nullptr;
}

void tell_of_return(const Call& call) {
  if (Tools* tools = counting_tools()) tools->call_ends(call, Thread::current()->clock());
  mark(call, 1);
  if (watched.computation_is_measured) programs::begin_stretch();
}

}  // namespace

void watch_calls(const WatchedCalls& wanted) {
  watched = wanted;
  are_calls_watched = wanted.are_marked || wanted.computation_is_measured;
}

void watch_call(const Call& call) {
  Thread::current()->work_off_backlog();
  if (watched.computation_is_measured) programs::charge_stretch(call.name);
  mark(call, 0);
  if (Tools* tools = counting_tools()) tools->call_begins(call, Thread::current()->clock());
}

void watch_threads() { are_calls_watched = true; }
void watch_counted_calls() { are_calls_watched = true; }

void watch_return(const Call& call) {
  Thread::current()->work_off_backlog();
  Process* process = call.takes_no_turn ? nullptr : calling_process();
  if (process != nullptr && process->phase == Process::Phase::restricted) process->leave_restricted();
  tell_of_return(call);
}

void watch_failure(const Call& call) { tell_of_return(call); }

const char* name_of_call(const StepKind& kind) {
  for (const StepKind& known : marks_of_calls.all)
    if (&known == &kind) return known.name;
  return nullptr;
}

}  // namespace hindcast::mpi
