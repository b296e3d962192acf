// What a run may want of every call: that what was computed before it is measured, that a recorder is told of it, or
// that it is counted for a tool.
#pragma once

#include "mpi_impl/core/call.hpp"
#include "simulator/engine/recorder.hpp"

namespace hindcast::mpi {

// Looked at in every call; false in most runs.
extern bool are_calls_watched;

struct WatchedCalls {
  bool computation_is_measured = false;
  bool are_marked = false;  // where they begin and return, for the run's recorder
};
// Before ranks run.
void watch_calls(const WatchedCalls& wanted);

// From now on: a rank has several threads, of which only one at a time may be in a call.
void watch_threads();
// The same: a rank counts its calls.
void watch_counted_calls();

[[gnu::cold]] void watch_call(const Call& call);
[[gnu::cold]] void watch_return(const Call& call);
// The call returns an error. Its thread has left the library before the error handler was called.
[[gnu::cold]] void watch_failure(const Call& call);

// The mark of a call that begins has amount 0, that of one that returns 1. Null: the kind is not that of such a mark.
const char* name_of_call(const StepKind& kind);

}  // namespace hindcast::mpi
