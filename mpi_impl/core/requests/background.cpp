#include "mpi_impl/core/requests/background.hpp"

#include <algorithm>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

void Background::make_progress() {
  Thread& thread = *Thread::current();
  if (activities_.empty()) return;
  thread.settle();
  const Time looked_at = thread.clock();
  while (!activities_.empty()) {
    thread.settle();
    Activity* activity = first_that_can_go_on(looked_at, thread.clock());
    if (activity == nullptr) return;
    activity->is_going_on_ = true;
    activity->go_on();
    activity->is_going_on_ = false;
    if (activity->has_ended()) std::erase(activities_, activity);
  }
}

void Background::wait(Process& process, Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  for (;;) {
    make_progress();
    if (activities_.empty()) return process.endpoint().wait(gate, why);
    if (gate.is_open()) {
      // What it would have waited for, another waits for now. One that goes on waiting sees to it itself: to interrupt
      // others whenever it was interrupted, they would wake each other again and again.
      if (!waiting_.empty()) waiting_.front()->interrupt();
      return;
    }
    const Time next = next_round_is_over_at();
    if (next <= thread.clock()) continue;  // it came while others were served
    Gate alarm_gate(thread);
    Alarm* alarm = next == Time::never() ? nullptr : &process.alarms.set(next);
    if (alarm != nullptr) {
      alarm_gate.add(alarm->completion());
      alarm_gate.interrupt_when_open(&gate);
    }
    begin_to_wait(gate);
    has_looked();
    process.endpoint().wait(gate, why);
    end_wait(gate);
    if (alarm != nullptr) alarm->forget();
    gate.go_on_waiting();
  }
}

void Background::wait_until(Process& process, Time time, const Wait& why) {
  Thread& thread = *Thread::current();
  thread.settle(&why);
  if (thread.clock() < time) {
    Alarm& alarm = process.alarms.set(time);
    Gate gate(thread);
    gate.add(alarm.completion());
    wait(process, gate, why);
    alarm.forget();
  }
  process.endpoint().wait_until(time, why);
}

void Background::run_to_end_if_alone(Activity& activity, const Wait& why) {
  make_progress();
  if (activities_.size() != 1 || activities_.front() != &activity || !activity.may_be_suspended()) return;
  activities_.clear();
  activity.run_to_end(why);
  has_looked();
}

Activity* Background::first_that_can_go_on(Time looked_at, Time now) const {
  const auto found = std::find_if(activities_.begin(), activities_.end(), [&](const Activity* activity) {
    return !activity->is_going_on_ && activity->round_is_over_at() <= (activity->serves_others_ ? looked_at : now);
  });
  return found == activities_.end() ? nullptr : *found;
}

Time Background::next_round_is_over_at() const {
  Time next = Time::never();
  for (const Activity* activity : activities_)
    if (!activity->is_going_on_) next = std::min(next, activity->round_is_over_at());
  return next;
}

void Background::begin_to_wait(Gate& gate) {
  waiting_.push_back(&gate);
  interrupt_first();
}

void Background::end_wait(Gate& gate) {
  std::erase(waiting_, &gate);
  interrupt_first();
}

void Background::interrupt_first() {
  Gate* const first = waiting_.empty() ? nullptr : waiting_.front();
  for (Activity* activity : activities_) activity->gate_.interrupt_when_open(first);
}

}  // namespace hindcast::mpi
