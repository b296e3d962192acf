// The recorder: gathers what threads and hardware report, in whatever order the run was executed, and hands it on as
// one stream in an order of its own.
//
// Threads run ahead of the clock, and what they have reported may still be put off by work on arrivals. So a step is
// kept until the engine's now has passed its end: nothing can move it any more, and no other step can come to end
// before it. What is handed on is therefore the same in lockstep, where threads never run ahead.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "traces/recorded_step.hpp"

namespace hindcast::traces {

class Stream final : public Recorder {
 public:
  // So many steps are kept before it is looked which can be handed on.
  Stream(const Engine& engine, Sink& sink, std::size_t kept_at_least = 4096)
      : engine_(engine), sink_(sink), kept_at_least_(kept_at_least), kept_max_(kept_at_least) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void on_thread(const Thread& thread, const Step& step) override;
  void in_hardware(int node, const Step& step) override;
  void put_off(const Thread& thread, const Postponement& postponement) override;

  // The run has ended: hands on the rest. What threads would only have begun after the end is left out, unless all has
  // happened that ever can, as in a deadlock, where the clocks of threads are ahead of the engine's.
  void finish(bool can_nothing_more_happen = false);

 private:
  struct Kept {
    RecordedStep event;
    EventOrder order = 0;
    std::uint64_t number = 0;  // in the order of the thread's or the hardware's reports
  };
  using Tail = std::deque<Kept>;

  static bool comes_before(const Kept& a, const Kept& b);
  static Kept cut(Kept& whole, const Postponement& postponement);
  Tail& tail_of(const Thread& thread);
  void keep(Tail& tail, const Place& place, const Step& step);
  void take_ended(Tail& tail, Time before, std::vector<Kept>& ended);
  void hand_on(Time before);

  const Engine& engine_;
  Sink& sink_;
  std::vector<std::vector<Tail>> threads_;  // by rank and thread
  Tail hardware_;
  std::uint64_t reports_ = 0;
  std::size_t kept_ = 0;
  std::size_t kept_at_least_;
  std::size_t kept_max_;
};

}  // namespace hindcast::traces
