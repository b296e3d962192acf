#include "mpi_impl/api/watched_calls.hpp"

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/process/call_marks.hpp"
#include "simulator/programs/this_computer/measured_computation.hpp"

namespace hindcast::mpi {

bool are_calls_watched = false;

namespace {

// Null unless the calling rank counts its calls.
Tools* counting_tools() {
  Process* process = calling_process();
  Tools* tools = process != nullptr ? process->tools_in_use() : nullptr;
  return tools != nullptr && tools->counts_calls ? tools : nullptr;
}

void tell_of_return(const Call& call) {
  if (Tools* tools = counting_tools()) tools->call_ends(call, Thread::current()->clock());
  programs::mark_return_of_call(call.name);
  if (programs::is_computation_measured) programs::begin_stretch();
}

}  // namespace

void watch_calls() { are_calls_watched = true; }

void watch_call(const Call& call) {
  Thread::current()->work_off_backlog();
  if (programs::is_computation_measured) programs::charge_stretch(call.name);
  programs::mark_begin_of_call(call.name);
  if (Tools* tools = counting_tools()) tools->call_begins(call, Thread::current()->clock());
}

void watch_return(const Call& call) {
  Thread::current()->work_off_backlog();
  Process* process = call.takes_no_turn ? nullptr : calling_process();
  if (process != nullptr && process->phase == Process::Phase::restricted) process->leave_restricted();
  tell_of_return(call);
}

void watch_failure(const Call& call) { tell_of_return(call); }

}  // namespace hindcast::mpi
