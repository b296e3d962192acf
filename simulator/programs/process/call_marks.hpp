// Where the calls of programs begin and return, for a run's recorder: those of MPI and of the machines' own libraries.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::programs {

// For the run; false in most. Looked at in every call of a machine's own library.
extern bool are_calls_marked;

// By the calling thread, at its clock. A function's name is the same text in all its calls.
void mark_begin_of_call(const char* function);
void mark_return_of_call(const char* function);

// The mark of a call that begins has amount 0, that of one that returns 1. Null: the kind is not that of such a mark.
const char* name_of_call(const StepKind& kind);

}  // namespace hindcast::programs
