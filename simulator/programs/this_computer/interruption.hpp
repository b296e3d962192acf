// Ends a run from outside: by Ctrl-C or a signal that asks it to end, or when it has taken too much of this computer's
// time.
//
// The engine is asked to end the run, which it does as soon as ranks give way. A rank that only computes never would:
// it is stopped where it is, if that is in its own program. If the engine does not come round to it either, the process
// ends there.
#pragma once

#include "simulator/engine/engine.hpp"

namespace hindcast::programs {

// From now on, after whatever handlers SimGrid has set. A second signal ends the process at once, unless it
// comes so soon that it is the first one's double.
void end_run_at_interrupt(Engine& engine);
// What a process ends with that such a signal has ended, or its own time.
int status_of_interrupted();
void end_run_after_host_time(Engine& engine, double seconds);
// The run is being ended now, and is not cut short any more: there may be much to report of many ranks.
void tell_end_has_begun();
void forget_engine();

}  // namespace hindcast::programs
