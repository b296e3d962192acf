// The threads of a rank in a library that was written for one: one at a time is in a call, and the others wait for
// their turn. One that waits in a call keeps its turn, and works on what arrives for all of them, until another comes:
// then it stands aside until what it waits for has come, or nobody else is in a call.
#pragma once

#include <deque>
#include <optional>

#include "simulator/engine/completion.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

class ThreadsInTurn final : private EventSink {
 public:
  explicit ThreadsInTurn(Engine& engine) : owner_(engine.new_owner()) {}
  ThreadsInTurn(const ThreadsInTurn&) = delete;
  ThreadsInTurn& operator=(const ThreadsInTurn&) = delete;

  // Around a call; there may be others within.
  void enter();
  void leave();
  // By a thread that waits in a call, each time before it looks whether the gate is open.
  void let_others_in(const Gate& gate, const Wait& why);

 private:
  void wait_for_turn(Thread& thread, const Wait& why);
  void hand_on();
  void knock(Engine& engine, Time at);
  void fire(const Event& event) override;

  EventOwner owner_;
  Thread* inside_ = nullptr;
  int calls_within_ = 0;
  std::optional<Time> next_knock_;  // one serves all that are entering
  std::deque<Thread*> entering_;
  std::deque<Thread*> aside_;
};

}  // namespace hindcast::mpi
