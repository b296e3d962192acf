#include "simulator/programs/this_computer/processor_ticks.hpp"

#include <stdexcept>

namespace hindcast::programs {

timer_t start_ticks(int signal, timespec every, TickHandler handler) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  timer_t timer;
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) throw std::runtime_error("no timer to be had");
  const itimerspec ticks = {every, every};
  timer_settime(timer, 0, &ticks, nullptr);
  return timer;
}

void stop_ticks(timer_t timer) {
  const itimerspec never{};
  timer_settime(timer, 0, &never, nullptr);
}

}  // namespace hindcast::programs
