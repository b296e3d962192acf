// How a thread waits whose library works on arrivals in turns: what has come since its last turn is in `deferred`, and
// make_progress() works on it. What comes during a turn is for the next one.
#pragma once

#include "simulator/engine/completion.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

template <typename Deferred, typename MakeProgress>
void wait_in_turns(Thread& thread, Gate& gate, const Wait& why, const Deferred& deferred,
                   const MakeProgress& make_progress) {
  for (;;) {
    make_progress();
    if (gate.is_open()) return;
    if (deferred.empty()) thread.wait(why);
    if (gate.is_open()) return;
  }
}

template <typename Deferred, typename MakeProgress>
void wait_in_turns_until(Thread& thread, Time time, const Wait& why, const Deferred& deferred,
                         const MakeProgress& make_progress) {
  while (thread.clock() < time) {
    if (deferred.empty())
      thread.idle_until(time, why);
    else
      make_progress();
  }
}

}  // namespace hindcast::mpi
