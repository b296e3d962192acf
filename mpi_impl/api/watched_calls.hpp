// What a run may want of every call: that what was computed before it is measured, that a recorder is told of it, or
// that it is counted for a tool.
#pragma once

#include "mpi_impl/core/call.hpp"

namespace hindcast::mpi {

// Looked at in every call; false in most runs.
extern bool are_calls_watched;

// From now on: the run measures computation or marks calls, a rank has several threads of which only one at a time may
// be in a call, or it counts its calls.
void watch_calls();

[[gnu::cold]] void watch_call(const Call& call);
[[gnu::cold]] void watch_return(const Call& call);
// The call returns an error. Its thread has left the library before the error handler was called.
[[gnu::cold]] void watch_failure(const Call& call);

}  // namespace hindcast::mpi
