// What a thread looks at when it runs, and so has to be in the caches by then.
#include "simulator/engine/fetching.hpp"

#include "simulator/engine/thread.hpp"

namespace hindcast {

// A wake-up by its own clock, or an act that may move.
void Thread::fetch(const Event& event, FetchLevel level) const {
  if (event.kind() != EventKind::wake) {
    if (level <= 1) return fetch_instants(level);
    return movable_acts_.fetch_for_next(level - 2);
  }
  if (level == 0) fetch_lines(this, 2, 4);
  if (level > 0) fetch_what_it_needs(level - 1);
}

// What is due ahead of the clock, and may be put off.
void Thread::fetch_for_arrival(FetchLevel level) const {
  if (level == 0) fetch_lines(&rank_, 0, 1);
  fetch_instants(level);
}

// Acts and polls that may still be put off.
void Thread::fetch_instants(FetchLevel level) const {
  if (level == 0) return fetch_lines(this, 4, 7);
  movable_acts_.fetch();
  quiet_acts_.fetch();
  poll_instants_.fetch();
}

void Thread::fetch_what_it_needs(FetchLevel level) const {
  if (progress_ != Progress::hardware && level <= 1) fetch_instants(level);
  if (level > 0) {
    if (continuation_ != nullptr) continuation_->fetch(level - 1);
    return;
  }
  fetch_lines(&rank_, 0, 1);
  companions_.fetch(true);
  if (continuation_ == nullptr) return fetch_stack();
  fetch_lines(continuation_, 0, 4);
  fetch_lines(registers_, 0, 1);  // for what a collective combines
}

// And what goes with it. Of a stack, what lies around the place where the thread gave way: SimGrid's frames below it,
// and above it those of the call that waits and of the program.
void Thread::fetch_stack() const {
  constexpr int lines_below = 16;
  constexpr int lines_above = 12;
  constexpr int lines_of_actor = 7;
  companions_.fetch(false);
  fetch_lines(actor_memory_, 0, lines_of_actor);
  fetch_lines(stack_, -lines_below, lines_above);
}

}  // namespace hindcast
