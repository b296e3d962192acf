// How a thread waits whose library works on arrivals in turns: what has come since its last turn is in `deferred`, and
// make_progress() works on it. What comes during a turn is for the next one.
#pragma once

#include "simulator/engine/completion.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

// What came during the last turn of a thread that waits no more is for another that does.
template <typename Deferred>
void leave_rest_to_others(Thread& thread, const Deferred& deferred) {
  if (deferred.empty()) return;
  Thread& attendant = thread.rank().attendant();
  if (&attendant != &thread && attendant.attends()) attendant.wake();
}

template <typename Deferred, typename MakeProgress>
void wait_in_turns(Thread& thread, Gate& gate, const Wait& why, const Deferred& deferred,
                   const MakeProgress& make_progress) {
  for (;;) {
    make_progress();
    if (gate.is_open()) break;
    if (deferred.empty()) thread.wait(why);
    if (gate.is_open()) break;
  }
  leave_rest_to_others(thread, deferred);
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
  leave_rest_to_others(thread, deferred);
}

}  // namespace hindcast::mpi
