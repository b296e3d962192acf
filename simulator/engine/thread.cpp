#include "simulator/engine/thread.hpp"

#include <stdexcept>
#include <utility>

#include "simulator/engine/driver.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread/registers.hpp"
#include "simulator/engine/thread/shared_processor.hpp"

namespace hindcast {

namespace {

// A thread that wakes another, of its rank, goes on itself: the other is woken at its clock, by a handler.
class WakeLater final : public EventSink {
 public:
  void fire(const Event& event) override { reinterpret_cast<Thread*>(event.data)->wake(); }
};
WakeLater later;

}  // namespace

Thread::Thread(Engine& engine, Rank& rank, int index, Time start, EventOwner owner)
    : engine_(engine),
      rank_(rank),
      owner_(owner),
      clock_(start),
      progress_(rank.progress),
      may_be_interrupted_(rank.may_be_interrupted),
      movable_acts_(*this),
      quiet_acts_(engine),
      index_(index),
      poll_period_(rank.poll_period) {
  const bool ahead = !engine.options().lockstep && rank.may_run_ahead;
  run_ahead_until_ = ahead ? engine.options().max_time : Time::ps(-1);
}

Thread::~Thread() { driver::release_actor(actor_); }

void Thread::charge_slowly(Time cost, const Wait* wait) {
  if (processor_ != nullptr) return processor_->take_turns(*this, nullptr, cost, 0, 0, wait);
  clock_ += cost;
  if (clock_ > engine_.now() && !is_off_stack_) give_way_until_clock(wait);
}

void Thread::run_body(const std::function<void()>& body) {
  process_wide::running_thread = this;
  actor_ = driver::current_actor();  // one started by another thread may give way before that one knows it
  if (is_stopped_) stay_stopped();
  process_wide::find_caught_exceptions();
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->enter(*this);
  ArithmeticState::set_usual();
  body();
  ArithmeticState::set_usual();
  settle();
  give_way_until_acts_fired();  // SimGrid ends with its last actor
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->leave(*this);
  state_ = State::ended;
  --engine_.living_threads_;
  process_wide::running_thread = nullptr;
  --engine_.runnable_;
  while (engine_.options().ends_process && !began_in_run_) driver::give_way(actor_);
  driver::leave_our_rounds(actor_);
}

// The one place where a thread gives way.
void Thread::switch_away(State state, const Wait* wait) {
  if (is_off_stack_) throw std::logic_error("a thread gives way off its stack");
  Registers registers;
  registers.save();
  registers_ = &registers;
  const void* const in_call = rank_.in_call;
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->leave(*this);
  state_ = state;
  wait_ = wait;
  waits_since_ = clock_;
  polls_at_ = Time::never();
  ++switches_;
  stack_ = static_cast<const char*>(__builtin_frame_address(0));
  process_wide::running_thread = nullptr;
  --engine_.runnable_;
  driver::give_way(actor_);
  while (engine_.is_asking_for_places_) [[unlikely]] keep_place();
  if (is_stopped_) [[unlikely]]
    stay_stopped();
  process_wide::running_thread = this;
  wait_ = nullptr;
  rank_.in_call = in_call;
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->enter(*this);
  registers.restore();
}

void Thread::do_outside(const std::function<void()>& what) {
  Registers registers;
  registers.save();
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->leave(*this);
  process_wide::running_thread = nullptr;
  driver::do_outside(actor_, what);
  process_wide::running_thread = this;
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->enter(*this);
  registers.restore();
}

// The run ends early, and the thread runs once more only for this.
void Thread::keep_place() {
  engine_.switch_hook()->keep_place(*this);
  driver::give_way(actor_);
}

// In a handler: the thread goes on when all handlers of this instant that may come first are done.
void Thread::run_again() {
  state_ = State::running;
  ++engine_.runnable_;
  if (continuation_ != nullptr) return engine_.going_on_off_stack_.push_back(this);
  if (engine_.fetches_ahead() && wait_ != nullptr) wait_->fetch(0);
  driver::resume(actor_);
}

void Thread::go_on_off_stack() {
  process_wide::running_thread = this;
  is_off_stack_ = true;
  Onward onward = continuation_->go_on();
  while (onward.what == Onward::What::settle && clock_ <= engine_.now()) onward = continuation_->go_on();
  is_off_stack_ = false;
  process_wide::running_thread = nullptr;
  wait_ = onward.wait;
  if (onward.what == Onward::What::run) {
    continuation_ = nullptr;
    if (engine_.fetches_ahead()) fetch_stack();
    return;
  }
  state_ = onward.what == Onward::What::wait ? State::waiting : State::settling;
  waits_since_ = clock_;
  polls_at_ = Time::never();
  if (state_ == State::settling) wake_at(clock_);
  ++switches_;
  --engine_.runnable_;
}

void Thread::return_to_stack() {
  if (continuation_ == nullptr) driver::resume(actor_);
}

void Thread::take_up_arithmetic() { registers_->arithmetic().restore(); }
void Thread::put_down_arithmetic() {
  registers_->arithmetic().save();
  registers_->arithmetic().reset_rounding();
}

void Thread::give_way_until_clock(const Wait* wait) {
  do {
    wake_at(clock_);
    switch_away(State::settling, wait);
    if (inserted_work_ > 0) give_way_until_acts_fired();
  } while (clock_ > engine_.now());
}

// Only what comes to a thread whose processor is needed for that can be in its way off its stack.
void Thread::settle_with(Continuation& onward) {
  const bool stays_on_stack = !may_go_on_off_stack() || progress_ != Progress::hardware;
  while (clock_ <= engine_.now() || stays_on_stack) {
    settle();
    if (onward.go_on().what == Onward::What::run) return;
  }
  give_way_with(onward, Onward::settles());
}

void Thread::give_way_with(Continuation& onward, Onward first) {
  continuation_ = &onward;
  if (first.what == Onward::What::settle) wake_at(clock_);
  switch_away(first.what == Onward::What::settle ? State::settling : State::waiting, first.wait);
}

void Thread::wait(const Wait& wait) { switch_away(State::waiting, &wait); }

void Thread::wait_without_polling(const Wait& wait) {
  polls_in_wait_ = false;
  this->wait(wait);
  polls_in_wait_ = true;
}

void Thread::wait_without_polling_until(Time time, const Wait& wait) {
  polls_in_wait_ = false;
  wait_until(time, wait);
  polls_in_wait_ = true;
}

void Thread::wait_until(Time time, const Wait& wait) {
  if (engine_.now() < time) {
    wake_at(time);
    switch_away(State::waiting, &wait);
  }
  if (engine_.now() < time) return;  // woken to poll
  record_wait(time, wait);
  clock_ = later_of(clock_, time);
  if (clock_ > run_ahead_until_) settle();
}

// A wake-up is for the next time that the thread gives way, and for no later one.
void Thread::wake_at(Time time) { engine_.at(time, EventKind::wake, owner_, *this, switches_ + 1); }

void Thread::park() {
  for (;;) switch_away(State::ended, nullptr);
}

// One that has been woken, or has not begun, is resumed once more, and finds it then.
void Thread::stop() {
  if (state_ == State::ended || is_stopped_) return;
  is_stopped_ = true;
  if (state_ == State::running) return;
  state_ = State::ended;
  --engine_.living_threads_;
}

void Thread::stay_stopped() {
  state_ = State::ended;
  --engine_.living_threads_;
  process_wide::running_thread = nullptr;
  --engine_.runnable_;
  driver::give_way(actor_);
  for (;;) driver::give_way(actor_);
}

void Thread::stop_computing() {
  for (;;) switch_away(State::settling, nullptr);
}

void Thread::wake(MessageId message) {
  if (state_ != State::waiting) return;
  Thread* const waker = process_wide::running_thread;
  if (waker != nullptr && &waker->rank_ == &rank_ && !waker->is_off_stack_) [[unlikely]] {
    engine_.at({waker->clock_, waker->reserve_act(), &later, reinterpret_cast<std::uint64_t>(this)});
    return;
  }
  const Time goes_on = later_of(clock_, engine_.now() + Time::ps(1));
  record_wait(goes_on, *wait_, message);
  clock_ = goes_on;
  run_again();
}

void Thread::fire(const Event& event) {
  if (event.kind() == EventKind::wake)
    fire_wake_up(event);
  else
    fire_act(event);
}

void Thread::fire_wake_up(const Event& event) {
  if (is_past(event)) return;
  const bool was_put_off = clock_ > event.at && (state_ == State::settling || event.at == polls_at_);
  if (!was_put_off) return run_again();
  if (state_ == State::waiting) polls_at_ = clock_;
  engine_.at(clock_, EventKind::wake, owner_, *this, switches_);
}

}  // namespace hindcast
