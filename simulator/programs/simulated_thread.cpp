#include "simulator/programs/simulated_thread.hpp"

namespace hindcast::programs {

namespace {
void* simulating_thread = nullptr;
}

// A thread's control block stands for its thread id: it is read without a system call.
void remember_simulating_thread() { simulating_thread = __builtin_thread_pointer(); }

bool on_simulated_thread() { return __builtin_thread_pointer() == simulating_thread; }

}  // namespace hindcast::programs
