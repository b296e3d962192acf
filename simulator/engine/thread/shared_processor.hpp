// The processors of a node, one or several, that more threads than these take turns on. Turns are given in the order in
// which they are asked for, each for as long as a slice at most, so that long work of several threads goes round among
// them. A turn is taken on the processor on which it can begin first; of several on the one that the thread had last,
// else on the first. A thread that waits leaves its processor to the others. Going from one thread to another takes
// time.
//
// Work of the system's, an interrupt's, is done on the processor that its thread has; if the thread waits, on the one
// that is free first. There it comes before all turns that are not over.
//
// Threads that share processors do not run ahead of the clock: a turn is asked for at the engine's now.
#pragma once

#include <vector>

#include "simulator/engine/recorder.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast {

class SharedProcessor {
 public:
  // A slice is longer than nothing.
  SharedProcessor(Engine& engine, int processors, Time slice, FixedStep switching);

  // Before the rank's threads run. Those that it starts later take turns too, until they are gone.
  void add(Rank& rank);
  void add(Thread& thread);
  void remove(const Thread& thread);

  // By a thread that runs, for work of its own: as many turns as that needs. A recorder is told of it if it is of a
  // kind.
  void take_turns(Thread& thread, const StepKind* kind, Time cost, MessageId message, std::uint64_t amount,
                  const Wait* wait);

  // By a thread that runs: one turn, however long, that begins when it can and ends then.
  void take_turn_until(Thread& thread, Time end);

  // When a turn of the thread's would begin if it asked for one at `from`.
  Time begin_of_turn(const Thread& thread, Time from) const;
  // Such a turn, of which it is known by now when it ends.
  void give_turn(const Thread& thread, Time end);

  // By a handler, on behalf of a thread: work of the system's, before all turns that are not over. Returns its start,
  // which is that of such work now.
  Time interrupt(const Thread& on_behalf_of, Time cost);
  Time start_of_interrupt(const Thread& on_behalf_of) const;

 private:
  struct Processor {
    std::uint64_t last = nobody;  // who has, or will have, the last turn of those that have been asked for
    Time free_at;
    Time interrupted_until;
    bool must_switch_to(std::uint64_t member) const { return last != nobody && last != member; }
  };
  static constexpr std::uint64_t nobody = 0;
  struct Member {
    Thread* thread;
    std::uint64_t number;
    std::size_t processor;   // of its last turn
    Time interrupted_until;  // by work for itself
  };

  const Member& member(const Thread& thread) const;
  Member& member(const Thread& thread);
  bool has_turn(const Thread& thread) const;
  Time begin_on(const Processor& processor, const Thread& thread, Time from) const;
  std::size_t first_for(const Thread& thread, Time from) const;
  void give_turn_on(std::size_t number, const Thread& thread, Time end);
  std::size_t interrupted_by(const Thread& thread) const;
  void begin_turn(Thread& thread, Time cost, bool is_service);
  void end_turn(Thread& thread, Time end, const Wait* wait) const;
  void record_wait_for_turn(Thread& thread, Time begin, bool switches, bool is_service) const;
  void put_off_turn(Thread& thread, Time start, Time cost) const;

  Engine& engine_;
  const Time slice_;
  const FixedStep switching_;
  std::vector<Processor> processors_;
  std::vector<Member> members_;
  std::uint64_t members_so_far_ = 0;
  mutable std::size_t found_last_ = 0;  // which member; the same is asked for again and again
};

}  // namespace hindcast
