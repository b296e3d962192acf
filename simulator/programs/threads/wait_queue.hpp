// Threads of a program that wait for something of the program's, in the order in which they came. A queue lies in the
// program's own memory, in its mutex or the like, where all zeros is an empty one.
#pragma once

#include <cstdint>

#include "simulator/engine/units.hpp"

namespace hindcast::programs {

class ProgramThread;
class WaitQueue;
struct Mutex;

// On the stack of the thread that waits.
struct Waiter {
  explicit Waiter(ProgramThread& who) : thread(&who) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  ProgramThread* thread;
  WaitQueue* queue = nullptr;  // the one that it is in
  Waiter* next = nullptr;
  Waiter* previous = nullptr;
  Time until = Time::never();
  bool waits_for_time_alone = false;  // which is no look for what somebody else may do by then
  bool can_be_cancelled = false;
  bool is_granted = false;
  // Whether a signal's handler ends the wait, whatever the call then does; it may also leave by a jump. Its effect
  // then.
  bool ends_at_signal = false;
  int signal_effect = 0;
  bool is_writer = false;    // of a read-write lock
  std::uint32_t bits = ~0U;  // of a futex
  Mutex* mutex = nullptr;    // what a thread that waits for a condition goes on with
};

class WaitQueue {
 public:
  bool is_empty() const { return first_ == nullptr; }
  Waiter* first() const { return first_; }

  void push(Waiter& waiter) {
    waiter.queue = this;
    waiter.next = nullptr;
    waiter.previous = last_;
    (last_ != nullptr ? last_->next : first_) = &waiter;
    last_ = &waiter;
  }
  void remove(Waiter& waiter) {
    (waiter.previous != nullptr ? waiter.previous->next : first_) = waiter.next;
    (waiter.next != nullptr ? waiter.next->previous : last_) = waiter.previous;
    waiter.queue = nullptr;
  }

 private:
  Waiter* first_;
  Waiter* last_;
};

}  // namespace hindcast::programs
