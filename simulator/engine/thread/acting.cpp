// A thread's acts: where they wait until their time has come.
#include "simulator/engine/thread.hpp"

namespace hindcast {

// An act that nothing can put off any more is an event like others. One that may move stays with the thread.
void Thread::act(EventSink& sink, std::uint64_t data, Bytes captured) {
  act_and_go_on(sink, data, captured);
  if (has_too_many_acts() && !is_off_stack_) give_way_until_acts_fired();
}

void Thread::act_and_go_on(EventSink& sink, std::uint64_t data, Bytes captured) {
  if (engine_.has_passed(acts_ahead_.last())) acts_ahead_.forget();
  acts_ahead_.add(Event{clock_, reserve_act(), &sink, data}, captured);
  insert_act(acts_ahead_.last());
}

void Thread::insert_act(const Event& act) {
  if (acts_may_move())
    movable_acts_.put(act);
  else
    engine_.at(act);
}

void Thread::make_quiet_acts_heard() {
  quiet_acts_.fire_due();
  while (!quiet_acts_.empty()) insert_act(quiet_acts_.take_first());
}

// What handlers have put among the acts may be later than what the thread does next: it is not waited for.
bool Thread::has_acts_due() {
  if (!acts_may_move()) return !acts_ahead_.is_empty() && !engine_.has_passed(acts_ahead_.last());
  return movable_acts_.has_before(Event{clock_, owner_.upcoming(EventKind::act), nullptr, 0});
}

void Thread::give_way_until_acts_fired() {
  if (!has_acts_due()) return;
  if (!acts_may_move())  // right after the last one
    engine_.at(Event{acts_ahead_.last().at, reserve_act(), this, switches_ + 1});
  switch_away(State::draining, nullptr);
}

void Thread::fire_act(const Event& event) {
  if (!acts_may_move()) {
    if (state_ == State::draining && event.data == switches_) run_drained();
    return;
  }
  const std::optional<Event> act = movable_acts_.take_due(event);
  if (!act) return;
  if (state_ == State::draining && !has_acts_due()) run_drained();
  act->sink->fire(*act);
  movable_acts_.schedule_next();
}

void Thread::run_drained() {
  engine_.must_run_threads_ = true;
  run_again();
}

}  // namespace hindcast
