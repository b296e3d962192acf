// A program's call of a machine's own library. What was computed before it is charged where computation is measured,
// and what the call takes of this computer is none of the program's computation. A run's recorder is told where it
// begins and returns.
#pragma once

#include "simulator/programs/process/call_marks.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/this_computer/measured_computation.hpp"

namespace hindcast::programs {

class LibraryCall {
 public:
  // On a thread of the program's own making the run ends.
  explicit LibraryCall(const char* function) : function_(function), program_(RunningProgram::calling(function)) {
    if (are_calls_marked) [[unlikely]]
      mark_begin_of_call(function);
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;
  ~LibraryCall() {
    if (are_calls_marked) [[unlikely]]
      mark_return_of_call(function_);
    if (is_computation_measured) [[unlikely]]
      begin_stretch();
  }

  const char* function() const { return function_; }
  RunningProgram& program() const { return program_; }

 private:
  const char* function_;
  RunningProgram& program_;
};

}  // namespace hindcast::programs
