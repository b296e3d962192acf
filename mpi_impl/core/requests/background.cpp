#include "mpi_impl/core/requests/background.hpp"

#include <algorithm>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

// Interrupts a gate when an alarm comes.
class InterruptByAlarm final : public GateListener {
 public:
  explicit InterruptByAlarm(Gate& gate) : gate_(gate) {}
  void opened(const Thread& thread, MessageId message) override { gate_.interrupt_with(thread, message); }

 private:
  Gate& gate_;
};

}  // namespace

void Activity::opened(const Thread& thread, MessageId message) {
  background_->put_among_known(*this);
  if (!background_->waiting_.empty()) background_->waiting_.front()->interrupt_with(thread, message);
}

void Background::add(Activity& activity) {
  ++activities_;
  activity.background_ = this;
  activity.place_ = ++begun_;
  activity.gate_.tell(&activity);
  if (activity.gate_.is_open()) put_among_known(activity);
}

void Background::take_out(Activity& activity) {
  --activities_;
  activity.gate_.tell(nullptr);
  activity.background_ = nullptr;
  std::erase(known_, &activity);
}

void Background::put_among_known(Activity& activity) {
  const auto before = std::ranges::upper_bound(known_, activity.place_, {}, &Activity::place_);
  if (before == known_.begin() || *std::prev(before) != &activity) known_.insert(before, &activity);
}

void Background::have_go_on(Activity& activity) {
  std::erase(known_, &activity);
  activity.is_going_on_ = true;
  activity.go_on();
  activity.is_going_on_ = false;
  if (activity.has_ended())
    take_out(activity);
  else if (activity.gate_.is_open())
    put_among_known(activity);
}

void Background::make_progress() {
  Thread& thread = *Thread::current();
  if (is_empty()) return;
  thread.settle();
  const Time looked_at = thread.clock();
  while (!is_empty()) {
    thread.settle();
    Activity* activity = first_that_can_go_on(looked_at, thread.clock());
    if (activity == nullptr) return;
    have_go_on(*activity);
  }
}

void Background::wait(Process& process, Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  for (bool has_waited = false;; has_waited = true) {
    make_progress();
    // Another thread may begin something while this one waits.
    const bool waits_alone = !process.has_threads() || (gate.is_open() && !has_waited);
    if (is_empty() && waits_alone) return process.endpoint().wait(gate, why);
    if (gate.is_open()) {
      // What it would have waited for, another waits for now. One that goes on waiting sees to it itself: to interrupt
      // others whenever it was interrupted, they would wake each other again and again.
      if (!is_empty() && !waiting_.empty()) waiting_.front()->interrupt();
      return;
    }
    const Time next = next_round_is_over_at();
    if (next <= thread.clock()) continue;  // it came while others were served
    Gate alarm_gate(thread);
    InterruptByAlarm interrupt(gate);
    Alarm* alarm = next == Time::never() ? nullptr : &process.alarms.set(next);
    if (alarm != nullptr) {
      alarm_gate.add(alarm->completion());
      alarm_gate.tell(&interrupt);
    }
    waiting_.push_back(&gate);
    has_looked();
    process.endpoint().wait(gate, why);
    std::erase(waiting_, &gate);
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
  if (activities_ != 1 || activity.background_ != this || !activity.may_be_suspended()) return;
  take_out(activity);
  activity.run_to_end(why);
  has_looked();
}

Activity* Background::first_that_can_go_on(Time looked_at, Time now) const {
  const auto found = std::ranges::find_if(known_, [&](const Activity* activity) {
    return !activity->is_going_on_ && activity->round_is_over_at() <= (activity->serves_others_ ? looked_at : now);
  });
  return found == known_.end() ? nullptr : *found;
}

Time Background::next_round_is_over_at() const {
  Time next = Time::never();
  for (const Activity* activity : known_)
    if (!activity->is_going_on_) next = std::min(next, activity->round_is_over_at());
  return next;
}

}  // namespace hindcast::mpi
