// What a rank has done at its clock by a handler, and waits for: what others can notice, and what depends on what they
// have done.
#pragma once

#include <functional>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "simulator/engine/completion.hpp"

namespace hindcast::mpi {

// The wait is not the library's: it is over at the rank's own clock, before a library would have looked at what has
// come.
class AtClock final : private EventSink, private Wait {
 public:
  // `what_for` is what the deadlock report says.
  AtClock(Process& process, const char* what_for, const std::function<void()>& what)
      : call_(process.call()), what_for_(what_for), what_(what) {
    Thread& thread = *Thread::current();
    thread.act(*this, 0);
    Gate fired(thread);
    fired.add(over_);
    fired.pass(*this);
    thread.idle_until(over_.at(), *this);
  }

 private:
  void fire(const Event& event) override {
    what_();
    // As if the thread always waited for it: the act may also fire while the thread gives way for having too many.
    over_.complete(event.at + Time::ps(1));
  }
  BlockedOn describe() const override { return {name_of(call_), what_for_, {}}; }

  const Call* call_;
  const char* const what_for_;
  const std::function<void()>& what_;
  Completion over_;
};

// After what was looked for has not been found: whoever looks again and again lets time go on.
class LookInVain final : private Wait {
 public:
  LookInVain(Process& process, const char* what_for) : call_(process.call()), what_for_(what_for) {
    poll(process, *this);
    Thread::current()->settle(this);
  }

 private:
  BlockedOn describe() const override { return {name_of(call_), what_for_, {}}; }

  const Call* call_;
  const char* const what_for_;
};

}  // namespace hindcast::mpi
