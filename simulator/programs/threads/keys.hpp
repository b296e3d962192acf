// What threads keep by a key of the program's.
#pragma once

#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

// By a thread that ends: what it has kept is given to the destructors of the keys.
void destroy_values(ProgramThread& thread);

}  // namespace hindcast::programs
