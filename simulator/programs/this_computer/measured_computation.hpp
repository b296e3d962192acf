// Computation that is not declared but measured: by the time that this computer takes for it, or by the instructions
// that it executes. What a program does between two calls of the library is a stretch, and is charged in the call at
// its end. Times are then not the same from run to run.
#pragma once

#include <cstdint>

namespace hindcast::programs {

enum class Measuring : std::uint8_t { nothing, time, instructions };

// Looked at in every call: false in all runs but those.
extern bool is_computation_measured;

// For the run. Simulated time is this computer's times `factor`; an instruction takes what the machine's rate of
// floating-point operations says. Throws std::runtime_error if this computer does not count instructions for its users.
void measure_computation(Measuring what, double factor);

// By a rank's thread: in a call, what was computed up to here is charged.
void charge_stretch();
// The program goes on, or another rank's.
void begin_stretch();

}  // namespace hindcast::programs
