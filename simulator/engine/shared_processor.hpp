// A processor that several threads take turns on. Turns are given in the order in which they are asked for, each for as
// long as a slice at most, so that long work of several threads goes round among them. A thread that waits leaves the
// processor to the others. Going from one thread to another takes time.
//
// Threads that share a processor do not run ahead of the clock: a turn is asked for at the engine's now.
#pragma once

#include <vector>

#include "simulator/engine/recorder.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast {

class SharedProcessor {
 public:
  // A slice is longer than nothing.
  SharedProcessor(Engine& engine, Time slice, FixedStep switching);

  // Before the thread runs.
  void add(Thread& thread);

  Time slice() const { return slice_; }
  const FixedStep& switching() const { return switching_; }
  // Whether the thread would have to be switched to, and when its turn would begin if it asked for one now.
  bool must_switch_to(const Thread& thread) const { return last_ != nullptr && last_ != &thread; }
  Time begin_of_turn(const Thread& thread) const;
  void give_turn(const Thread& thread, Time end);

  // By a handler, on behalf of a thread: work of the system's, before all turns that are not over. Returns its start.
  Time interrupt(const Thread& on_behalf_of, Time cost);

 private:
  Engine& engine_;
  const Time slice_;
  const FixedStep switching_;
  std::vector<Thread*> threads_;
  const Thread* last_ = nullptr;  // who has, or will have, the last turn of those that have been asked for
  Time free_at_;
  Time interrupted_until_;
};

}  // namespace hindcast
