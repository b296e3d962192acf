// A signal again and again, each time that the process has taken so much of this computer's processor time.
#pragma once

#include <signal.h>
#include <time.h>

namespace hindcast::programs {

using TickHandler = void (*)(int signal, siginfo_t* information, void* context);

// The handler has the stack of the process's other handlers.
timer_t start_ticks(int signal, timespec every, TickHandler handler);
void stop_ticks(timer_t timer);

}  // namespace hindcast::programs
