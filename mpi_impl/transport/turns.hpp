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

// The same by a thread that does not give way between its turns, but is run again: before it does, and after it has
// been woken. It is the only one of its rank.
template <typename Deferred, typename MakeProgress>
bool has_waited_in_turns(const Gate& gate, bool was_woken, const Deferred& deferred,
                         const MakeProgress& make_progress) {
  if (was_woken && gate.is_open()) return true;
  do {
    make_progress();
    if (gate.is_open()) return true;
  } while (!deferred.empty());
  return false;
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
