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

  // By a thread that runs, for work of its own: as many turns as that needs. A recorder is told of it if it is of a
  // kind.
  void take_turns(Thread& thread, const StepKind* kind, Time cost, MessageId message, std::uint64_t amount,
                  const Wait* wait);

  // When a turn of the thread's would begin if it asked for one now.
  Time begin_of_turn(const Thread& thread) const;
  void give_turn(const Thread& thread, Time end);

  // By a handler, on behalf of a thread: work of the system's, before all turns that are not over. Returns its start.
  Time interrupt(const Thread& on_behalf_of, Time cost);

 private:
  bool must_switch_to(const Thread& thread) const { return last_ != nullptr && last_ != &thread; }
  void begin_turn(Thread& thread, Time cost);
  void record_wait_for_turn(Thread& thread, Time begin) const;
  void put_off_turn(Thread& thread, Time start, Time cost) const;

  Engine& engine_;
  const Time slice_;
  const FixedStep switching_;
  std::vector<Thread*> threads_;
  const Thread* last_ = nullptr;  // who has, or will have, the last turn of those that have been asked for
  Time free_at_;
  Time interrupted_until_;
};

}  // namespace hindcast
