// Computation that is not declared but measured: by the time that this computer takes for it, or by the instructions
// that it executes. What a program does between two calls of the library is a stretch, and is charged in the call at
// its end. Times are then not the same from run to run, unless somebody knows what each stretch took in an earlier one.
#pragma once

#include <cstdint>

namespace hindcast {
class Thread;
}

namespace hindcast::programs {

enum class Measuring : std::uint8_t { nothing, time, instructions };

// Who writes down what stretches take, or knows it.
class Stretches {
 public:
  virtual ~Stretches() = default;
  virtual bool are_known() const = 0;  // and are not measured
  // What is charged for the stretch that ends with a call, in nanoseconds of this computer or in instructions. Throws
  // std::runtime_error where that cannot be said, which ends the run.
  virtual std::uint64_t charged_before(const char* call, const Thread& thread, std::uint64_t measured) = 0;
};

struct MeasuredComputation {
  Measuring what = Measuring::nothing;
  double factor = 1;               // of this computer's time
  Stretches* stretches = nullptr;  // null: nobody asks for them
};

// Looked at in every call: false in all runs but those.
extern bool is_computation_measured;

// For the run. Simulated time is this computer's times the factor; an instruction takes what the machine's rate of
// floating-point operations says. Throws std::runtime_error if this computer does not count instructions for its users.
void measure_computation(const MeasuredComputation& wanted);

// By a rank's thread: in a call, what was computed up to here is charged.
void charge_stretch(const char* call);
// The program goes on, or another rank's.
void begin_stretch();

}  // namespace hindcast::programs
