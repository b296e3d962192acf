// Things a thread waits for: an operation that completes at a time which a handler comes to know.
#pragma once

#include <cassert>
#include <new>
#include <span>

#include "simulator/engine/thread.hpp"

namespace hindcast {

class Gate;

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
  void reset() {
    known_ = false;
    gate_ = nullptr;
  }

 private:
  friend class Gate;
  union {
    Gate* gate_;  // who waits, until it is known
    Time at_;     // from then on
  };

 public:
  MessageId message = 0;  // what it is about, for a recorder

 private:
  bool known_ = false;  // last, so that what derives from this has its own flags right behind
};

// What one thread waits for: so many completions out of those that point here. It wakes the thread once.
class Gate {
 public:
  explicit Gate(Thread& thread) : thread_(thread) {}
  ~Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Waits for this one too, unless it is known already.
  void add(Completion& completion) {
    if (completion.known_) return;
    completion.gate_ = this;
    ++pending_;
  }
  static void forget(Completion& completion) {
    if (!completion.known_) completion.gate_ = nullptr;
  }
  // Opens when all that were added have become known, or when the first has.
  void open_at_first() { any_ = true; }
  bool is_open() const { return pending_ == 0 || (any_ && opened_) || is_interrupted_; }
  // When this one opens, the other is interrupted: it seems open until it is told to go on waiting.
  void interrupt_when_open(Gate* other) { interrupts_ = other; }
  void go_on_waiting() { is_interrupted_ = false; }

  void pass(const Wait& wait) {
    while (!is_open()) thread_.wait(wait);
  }

 private:
  friend class Completion;
  void one_more(MessageId message) {
    --pending_;
    opened_ = true;
    if (!is_open()) return;
    if (interrupts_ != nullptr) interrupts_->is_interrupted_ = true;
    thread_.wake(message);
  }

  Thread& thread_;
  int pending_ = 0;
  bool any_ = false;
  bool opened_ = false;
  bool is_interrupted_ = false;
  Gate* interrupts_ = nullptr;
};

inline void Completion::complete(Time at) {
  Gate* const gate = known_ ? nullptr : gate_;
  known_ = true;
  new (&at_) Time(at);
  if (gate != nullptr) gate->one_more(message);
}

}  // namespace hindcast
