#include "simulator/programs/process/simulated_thread.hpp"

#include <unistd.h>

#include <cstdio>

namespace hindcast::programs {

namespace {
void* simulating_thread = nullptr;
}

// A thread's control block stands for its thread id: it is read without a system call.
void remember_simulating_thread() { simulating_thread = __builtin_thread_pointer(); }

bool is_simulating() { return simulating_thread != nullptr; }

bool on_simulated_thread() { return __builtin_thread_pointer() == simulating_thread; }

// The simulation may be in the midst of anything on its own thread: nothing of it is touched.
void refuse_foreign_thread(const char* function) {
  dprintf(STDERR_FILENO,
          "hindcast: %s was called on a thread that the program has started by itself, past pthread_create; it is "
          "not simulated\n",
          function);
  _exit(1);
}

}  // namespace hindcast::programs
