// Things a thread waits for: an operation that completes at a time which a handler comes to know.
#pragma once

#include <cassert>
#include <new>
#include <span>

#include "simulator/engine/thread.hpp"

namespace hindcast {

class Gate;
struct GateState;

class Completion {
 public:
  Completion() : gate_(nullptr) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Whether its event has fired. It may lie later than now: `at` is when it holds, once it is known.
  bool is_known() const { return known_; }
  Time at() const {
    assert(known_);
    return at_;
  }
  bool holds_at(Time time) const { return known_ && at_ <= time; }

  void complete(Time at);
  // Of who waits for it, if anybody does.
  const GateState* gate() const { return known_ ? nullptr : gate_; }
  void reset() {
    known_ = false;
    gate_ = nullptr;
  }

 private:
  friend class Gate;
  union {
    GateState* gate_;  // who waits, until it is known
    Time at_;          // from then on
  };

 public:
  MessageId message = 0;  // what it is about, for a recorder

 private:
  bool known_ = false;  // last, so that what derives from this has its own flags right behind
};

// Who is told of a gate that opens, beside the thread that waits at it.
class GateListener {
 public:
  // In a handler. It is the gate of this thread, and the message has opened it.
  virtual void opened(const Thread& thread, MessageId message) = 0;

 protected:
  ~GateListener() = default;
};

// What completions know of a gate. The gates of all threads that wait lie together, and not each in a stack: every
// completion looks at one, and stacks have left the caches and the processor's translations of addresses.
struct GateState {
  Thread& thread;
  int pending = 0;
  bool any = false;
  bool has_opened = false;
  bool is_interrupted = false;
  GateListener* listener = nullptr;

  bool is_open() const { return pending == 0 || (any && has_opened) || is_interrupted; }
  void one_more(MessageId message) {
    --pending;
    has_opened = true;
    if (!is_open()) return;
    thread.wake(message);
    if (listener != nullptr) [[unlikely]]
      listener->opened(thread, message);
  }
};

// What one thread waits for: so many completions out of those that point here. It wakes the thread once.
class Gate {
 public:
  explicit Gate(Thread& thread) : state_(*new (thread.engine().pool().take(sizeof(GateState))) GateState{thread}) {}
  ~Gate() { state_.thread.engine().pool().give_back_record(&state_, sizeof(GateState)); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Waits for this one too, unless it is known already. Says no, and does nothing, if it waits for it before.
  bool add(Completion& completion) {
    if (completion.known_) return true;
    if (completion.gate_ == &state_) [[unlikely]]
      return false;
    completion.gate_ = &state_;
    ++state_.pending;
    return true;
  }
  static void forget(Completion& completion) {
    if (!completion.known_) completion.gate_ = nullptr;
  }
  // Opens when all that were added have become known, or when the first has.
  void open_at_first() { state_.any = true; }
  bool is_open() const { return state_.is_open(); }
  const GateState& state() const { return state_; }
  // Whether one more has to become known, at most.
  bool opens_at_next() const { return state_.any || state_.pending <= 1; }
  void tell(GateListener* listener) { state_.listener = listener; }
  // A gate that is interrupted seems open until it is told to go on waiting.
  void interrupt() {
    state_.is_interrupted = true;
    state_.thread.wake();
  }
  // Interrupts it because another gate opens, whose thread wakes by itself.
  void interrupt_with(const Thread& thread, MessageId message) {
    state_.is_interrupted = true;
    if (&state_.thread != &thread) state_.thread.wake(message);
  }
  void go_on_waiting() { state_.is_interrupted = false; }

  void pass(const Wait& wait) {
    while (!is_open()) state_.thread.wait(wait);
  }

 private:
  GateState& state_;
};

inline void Completion::complete(Time at) {
  GateState* const gate = known_ ? nullptr : gate_;
  known_ = true;
  new (&at_) Time(at);
  if (gate != nullptr) gate->one_more(message);
}

}  // namespace hindcast
