// Simulated threads all run on one thread of the operating system: the one that runs the engine.
#pragma once

namespace hindcast::programs {

// By the one that will run the engine.
void remember_simulating_thread();

// False in a thread that the program has started by itself, past the simulation: it must not call MPI.
bool on_simulated_thread();

// Whether there is a simulation in this process at all.
bool is_simulating();

// Ends the run, saying so.
[[noreturn]] void refuse_foreign_thread(const char* function);

}  // namespace hindcast::programs
