// How a call waits for one thing that it has started.
#pragma once

#include "simulator/engine/completion.hpp"

namespace hindcast {

// Returns when it holds, on the current thread's clock.
void wait_for(Completion& completion, const Wait& why);

}  // namespace hindcast
