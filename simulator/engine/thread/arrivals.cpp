// Work on arrivals, where it takes the processor from the thread: by interrupts, in the polls that the thread has made
// ahead of the clock, or in those of its wait.
#include "simulator/engine/thread.hpp"
#include "simulator/engine/thread/shared_processor.hpp"

namespace hindcast {

void Thread::leave_poll_instant() {
  if (progress_ != Progress::polling) return;
  poll_instants_.forget_before(engine_.now());
  poll_instants_.leave({clock_, clock_, reserve_act()});
}

Time Thread::start_of_work_in_poll() const {
  return processor_ != nullptr ? processor_->begin_of_turn(*this, clock_) : clock_;
}

void Thread::work_in_poll_until(Time end) {
  poll_instants_.work_until(end);
  if (may_be_interrupted_) service_end_ = later_of(service_end_, end);
  if (processor_ != nullptr)
    processor_->take_turn_until(*this, end);
  else
    charge(end - clock_);
}

std::optional<Time> Thread::service_start() {
  if (processor_ != nullptr && progress_ == Progress::interrupt) return processor_->start_of_interrupt(*this);
  const std::optional<Time> start = service_start_alone();
  if (!start || processor_ == nullptr || progress_ == Progress::hardware) return start;
  return later_of(*start, processor_->begin_of_turn(*this, engine_.now()));
}

// On a processor of its own.
std::optional<Time> Thread::service_start_alone() {
  const Time now = engine_.now();
  if (progress_ == Progress::hardware) return now;
  if (progress_ == Progress::interrupt) return later_of(now, service_end_);
  poll_instants_.forget_before(now);
  if (!poll_instants_.empty()) return poll_instants_.first().busy_until;
  if (state_ != State::waiting || !polls_in_wait_) return std::nullopt;
  if (clock_ > now) {  // it is still at the work of its last poll, after which it may have waited enough
    if (polls_at_ == Time::never()) {
      polls_at_ = clock_;
      engine_.at(clock_, EventKind::wake, owner_, *this, switches_);
    }
    return std::nullopt;
  }
  // It polls since L, once every period.
  const std::int64_t period = poll_period_.in_ps();
  const std::int64_t polls = ((now - clock_).in_ps() + period - 1) / period;
  return clock_ + poll_period_ * polls;
}

Time Thread::serve(Time start, Time cost) {
  if (progress_ == Progress::hardware) return start;  // no processor is needed
  if (processor_ != nullptr && progress_ == Progress::interrupt) return interrupt(cost) + cost;
  const Time end = start + cost;
  service_end_ = end;
  if (processor_ != nullptr) processor_->give_turn(*this, end);
  if (!poll_instants_.empty()) {  // polling, at the first instant
    const PollInstants::Instant instant = poll_instants_.first();
    const Time until_end = processor_ != nullptr ? end - instant.busy_until : cost;
    poll_instants_.work_in_first_until(end);
    put_off(Postponement(owner_, instant.at, instant.order, end - until_end, until_end));
  } else if (is_waiting_at(start)) {
    // What else has arrived by then is worked on in the same poll.
    if (progress_ == Progress::polling) poll_instants_.leave({start, end, reserve_act()});
    record_wait(start, *wait_);
    clock_ = end;
  } else {
    const Time until_end = processor_ != nullptr ? end - engine_.now() : cost;
    put_off_from_now(end - until_end, until_end);
  }
  return end;
}

Time Thread::interrupt(Time cost) {
  const Time start = processor_ != nullptr ? processor_->interrupt(*this, cost) : later_of(engine_.now(), service_end_);
  const Time end = start + cost;
  service_end_ = end;
  if (state_ == State::ended) return start;
  if (is_idle()) {
    record_wait(start, *wait_);
    clock_ = end;
    idle_but_for_work_until_ = end;
  } else if (clock_ < start) {  // neighbours' interrupts come first, and keep it from the processor too
    const Time ready = clock_;
    put_off_from_now(ready, end - ready);
    if (is_recorded()) record(step_wait_for_processor, ready, start, 0, 0, true);
  } else {
    put_off_from_now(start, cost);
  }
  poll_instants_.keep_busy(start, end);
  return start;
}

void Thread::insert_work(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
  ++inserted_work_;
  insert_act(at, order, sink, data);
}

bool Thread::has_poll_to_come() {
  if (!may_be_interrupted_ || progress_ != Progress::polling) return false;
  poll_instants_.forget_before(engine_.now());
  return !poll_instants_.empty() && poll_instants_.first().at > engine_.now();
}

void Thread::insert_at_poll(EventSink& sink, std::uint64_t data) {
  insert_work(poll_instants_.first().at, poll_instants_.first().order, sink, data);
}

Time Thread::serve_now(EventOrder order, Time cost) {
  --inserted_work_;
  const Time start = engine_.now();
  put_off(Postponement(owner_, start, order, start, cost));
  return start + cost;
}

// On a processor that others use too, what lies between now and the start is their work and the wait for it, and stays.
void Thread::put_off_from_now(Time start, Time cost) {
  const Time instant = processor_ != nullptr ? start : engine_.now();
  put_off(Postponement(owner_, instant, Postponement::last_of_all, start, cost));
}

void Thread::put_off(const Postponement& postponement) {
  if (is_recorded()) engine_.recorder()->put_off(*this, postponement);
  clock_ += postponement.delay_of_clock(clock_);
  movable_acts_.put_off(postponement);
  quiet_acts_.put_off(postponement);
  poll_instants_.put_off(postponement);
  marks_.put_off(postponement, engine_.now());
}

}  // namespace hindcast
