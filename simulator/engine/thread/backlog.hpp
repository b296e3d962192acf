// What calls of a program's have left to be done. A call that only begins something, and could not go on before it
// knows what a handler will find out, returns to the program at once and leaves the rest. The thread's clock is behind
// then, so that nobody may look at it, nor charge, act or wait, before the rest is done: by a call that waits, off the
// thread's stack, or by Thread::work_off_backlog on it. Every call of a program's that reaches the simulator comes by
// there.
#pragma once

namespace hindcast {

class Backlog {
 public:
  // On the thread's stack. Takes what is left from the thread first.
  virtual void work_off() = 0;

 protected:
  ~Backlog() = default;
};

}  // namespace hindcast
