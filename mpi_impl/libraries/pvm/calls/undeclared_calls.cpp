// Functions of PVM's library that its header does not declare, and that programs call all the same.
#include <sys/time.h>

#include "mpi_impl/libraries/pvm/calls/call.hpp"
#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

using hindcast::pvm::Call;

extern "C" {

PVM_FUNCTION void pvmsleep(int seconds) {
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  if (seconds > 0) hindcast::programs::sleep_ns(seconds * ns_per_s);
}

PVM_FUNCTION void pvmfsleep_(const int* seconds) { pvmsleep(*seconds); }

PVM_FUNCTION void pvmgetclock(timeval* clock) {
  constexpr std::int64_t ns_per_us = 1'000, us_per_s = 1'000'000;
  const std::int64_t us = hindcast::programs::read_clock_ns() / ns_per_us;
  *clock = {HINDCAST_EPOCH_S + us / us_per_s, us % us_per_s};
}

// As a call tells of an error of its own.
PVM_FUNCTION int lpvmerr(const char* function, int code) { return Call(function).done(code); }

}  // extern "C"
