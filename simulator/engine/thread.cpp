#include "simulator/engine/thread.hpp"

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <stdexcept>
#include <utility>

#include "simulator/engine/driver.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/shared_processor.hpp"

namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1

namespace hindcast {

namespace {

// The Itanium ABI's caught exceptions and their count: of the thread of the operating system that all simulated threads
// share. Looking them up anew would be four calls a switch.
struct CaughtExceptions {
  void* exceptions;
  void* count;
};
CaughtExceptions* caught_exceptions = nullptr;

}  // namespace

// What belongs to a thread of the operating system, of which all simulated threads share one.
class Thread::Registers {
 public:
  void save() {
    errno_ = errno;
    save_arithmetic();
    exceptions_ = std::exchange(*caught_exceptions, {});
    reset_rounding();
  }
  void restore() const {
    *caught_exceptions = exceptions_;
    restore_arithmetic();
    errno = errno_;
  }
  void save_arithmetic() {
    mxcsr_ = mxcsr_now();
    x87_ = x87_now();
  }
  // What loads these lets the processor finish all that it has begun, whatever that waits for. So it is seen first
  // whether they are there already.
  void restore_arithmetic() const {
    if (mxcsr_now() != mxcsr_) load(mxcsr_);
    if (x87_now() != x87_) load(x87_);
  }
  // Handlers and SimGrid compute with the usual rounding, whatever the program chose. Flags mean nothing to them.
  void reset_rounding() const {
    constexpr std::uint32_t flags = 0x3f;
    if ((mxcsr_ & ~flags) != usual_mxcsr) load(usual_mxcsr);
    if (x87_ != usual_x87) load(usual_x87);
  }
  // As a program finds it: no flags of others either.
  static void set_usual_arithmetic() {
    load(usual_mxcsr);
    load(usual_x87);
    asm volatile("fnclex");
  }

 private:
  static constexpr std::uint32_t usual_mxcsr = 0x1f80;
  static constexpr std::uint16_t usual_x87 = 0x037f;

  static std::uint32_t mxcsr_now() {
    std::uint32_t now;
    asm volatile("stmxcsr %0" : "=m"(now));
    return now;
  }
  static std::uint16_t x87_now() {
    std::uint16_t now;
    asm volatile("fnstcw %0" : "=m"(now));
    return now;
  }
  static void load(const std::uint32_t& mxcsr) { asm volatile("ldmxcsr %0" : : "m"(mxcsr)); }
  static void load(const std::uint16_t& x87) { asm volatile("fldcw %0" : : "m"(x87)); }

  int errno_ = 0;
  std::uint32_t mxcsr_ = 0;
  std::uint16_t x87_ = 0;
  CaughtExceptions exceptions_{};
};

namespace {

constexpr EventOrder last_of_all = ~EventOrder{0};

}  // namespace

Thread* Thread::current_ = nullptr;

Thread::Thread(Engine& engine, Rank& rank, int index, Time start)
    : engine_(engine), rank_(rank), owner_(engine.new_owner()), clock_(start), index_(index) {
  const bool ahead = !engine.options().lockstep && rank.may_run_ahead;
  run_ahead_until_ = ahead ? engine.options().max_time : Time::ps(-1);
}

Thread::~Thread() { driver::release_actor(actor_); }

void Thread::record(const StepKind& kind, Time begin, Time end, MessageId message, std::uint64_t amount,
                    bool is_service) {
  engine_.recorder()->on_thread(
      *this, Step{&kind, message, begin, end, amount, owner_.upcoming(EventKind::act), is_service, -1});
}

// What lies ahead of the clock has to be kept until nothing can move it any more. A thread that runs far ahead gives
// way now and then, so that this is not much.
void Thread::record_own(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount) {
  if (++steps_ahead_ > steps_ahead_max) {
    settle();
    steps_ahead_ = 0;
  }
  record(kind, clock_, clock_ + cost, message, amount, false);
}

void Thread::take_recorded(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount, const Wait* wait) {
  if (processor_ != nullptr) return take_turns(&kind, cost, message, amount, wait);
  record_own(kind, cost, message, amount);
  charge(cost, wait);
}

void Thread::charge_slowly(Time cost, const Wait* wait) {
  if (processor_ != nullptr) return take_turns(nullptr, cost, 0, 0, wait);
  clock_ += cost;
  if (!is_off_stack_) settle(wait);
}

// Without a kind there is no recorder.
void Thread::take_turns(const StepKind* kind, Time cost, MessageId message, std::uint64_t amount, const Wait* wait) {
  bool continues = false;
  do {
    const Time turn = std::min(cost, processor_->slice());
    if (turn > Time()) begin_turn(turn);
    if (kind != nullptr)
      engine_.recorder()->on_thread(*this, Step{kind, message, clock_, clock_ + turn, continues ? 0 : amount,
                                                owner_.upcoming(EventKind::act), false, -1, continues});
    clock_ += turn;
    cost = cost - turn;
    is_in_turn_ = true;
    settle(wait);
    is_in_turn_ = false;
    continues = true;
  } while (cost > Time());
}

// The clock goes to where the turn begins, which is known; work of the system's may still put it off.
void Thread::begin_turn(Time cost) {
  const Time begin = processor_->begin_of_turn(*this);
  record_wait_for_turn(begin, false);
  processor_->give_turn(*this, begin + cost);
  clock_ = begin;
}

// From the clock on, and for the switching before the turn if there is any.
void Thread::record_wait_for_turn(Time begin, bool is_service) {
  if (!is_recorded()) return;
  const FixedStep& switching = processor_->switching();
  const Time waits_until = processor_->must_switch_to(*this) ? begin - switching.cost : begin;
  if (waits_until > clock_) record(step_wait_for_processor, clock_, waits_until, 0, 0, is_service);
  if (begin > waits_until) record(switching.kind, waits_until, begin, 0, 0, is_service);
}

void Thread::put_off_turn(Time start, Time cost) {
  const bool is_served = state_ == State::waiting && clock_ > engine_.now();
  if (!is_in_turn_ && !is_served) return;
  put_off_later_than(engine_.now(), last_of_all, start, cost);
  if (is_recorded()) record(step_wait_for_processor, start, start + cost, 0, 0, true);
}

void Thread::record_mark(const StepKind& kind, MessageId message, std::uint64_t amount, int peer) {
  engine_.recorder()->on_thread(
      *this, Step{&kind, message, clock_, clock_, amount, owner_.upcoming(EventKind::act), false, peer});
}

// The clock stands still while the thread waits, so that it is where the wait began.
void Thread::record_wait(Time end, MessageId message) {
  if (is_recorded() && end > clock_) [[unlikely]]
    record(step_wait, clock_, end, message, 0, false);
}

void Thread::run_body(const std::function<void()>& body) {
  current_ = this;
  actor_ = driver::current_actor();  // one started by another thread may give way before that one knows it
  caught_exceptions = reinterpret_cast<CaughtExceptions*>(__cxxabiv1::__cxa_get_globals());
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->enter(*this);
  Registers::set_usual_arithmetic();
  body();
  Registers::set_usual_arithmetic();
  settle();
  give_way_until_acts_fired();  // SimGrid ends with its last actor
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->leave(*this);
  state_ = State::ended;
  --engine_.living_threads_;
  current_ = nullptr;
  --engine_.runnable_;
  while (engine_.options().ends_process) driver::suspend(actor_, [this] { engine_.pass_instants(); });
}

// The one place where a thread gives way.
void Thread::switch_away(State state, const Wait* wait) {
  if (is_off_stack_) throw std::logic_error("a thread gives way off its stack");
  Registers registers;
  registers.save();
  registers_ = &registers;
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->leave(*this);
  state_ = state;
  wait_ = wait;
  waits_since_ = clock_;
  polls_at_ = Time::never();
  ++switches_;
  stack_ = static_cast<const char*>(__builtin_frame_address(0));
  current_ = nullptr;
  driver::suspend(actor_, [this] {
    --engine_.runnable_;
    engine_.pass_instants();
  });
  current_ = this;
  wait_ = nullptr;
  if (engine_.switch_hook() != nullptr) engine_.switch_hook()->enter(*this);
  registers.restore();
}

// In a handler: the thread goes on when all handlers of this instant that may come first are done.
void Thread::run_again() {
  state_ = State::running;
  ++engine_.runnable_;
  if (continuation_ != nullptr) return engine_.going_on_off_stack_.push_back(this);
  if (engine_.fetches_ahead() && wait_ != nullptr) wait_->fetch();
  driver::resume(actor_);
}

void Thread::goes_with(const void* memory, int lines) {
  const auto free = std::find_if(companions_.begin(), companions_.end(),
                                 [](const Companion& companion) { return companion.lines == 0; });
  if (free == companions_.end()) return;
  free->address = reinterpret_cast<std::uintptr_t>(memory);
  free->lines = static_cast<std::uint64_t>(lines);
}

// Of a stack, what lies around the place where the thread gave way: SimGrid's frames below it, and above it those of
// the call that waits and of the program.
void Thread::fetch_stack() const {
  constexpr int lines_below = 16;
  constexpr int lines_above = 12;
  constexpr int lines_of_actor = 7;
  fetch_lines(actor_memory_, 0, lines_of_actor);
  fetch_lines(stack_, -lines_below, lines_above);
}

void Thread::fetch_what_it_needs(FetchStep step) const {
  if (step > 0) {
    if (continuation_ != nullptr) continuation_->fetch();
    return;
  }
  for (const Companion& companion : companions_)
    fetch_lines(reinterpret_cast<const void*>(companion.address), 0, static_cast<int>(companion.lines));
  if (continuation_ == nullptr) return fetch_stack();
  fetch_lines(continuation_, 0, 4);
  fetch_lines(registers_, 0, 1);  // for what a collective combines
}

void Thread::go_on_off_stack() {
  current_ = this;
  is_off_stack_ = true;
  const bool waits_on = continuation_->go_on();
  is_off_stack_ = false;
  current_ = nullptr;
  if (!waits_on) {
    continuation_ = nullptr;
    if (engine_.fetches_ahead()) fetch_stack();
    return;
  }
  state_ = State::waiting;
  waits_since_ = clock_;
  ++switches_;
  --engine_.runnable_;
}

void Thread::return_to_stack() {
  if (continuation_ == nullptr) driver::resume(actor_);
}

void Thread::take_up_arithmetic() { registers_->restore_arithmetic(); }
void Thread::put_down_arithmetic() {
  registers_->save_arithmetic();
  registers_->reset_rounding();
}

void Thread::give_way_until_clock(const Wait* wait) {
  ++settles_in_a_row_;
  do {
    wake_at(clock_);
    switch_away(State::settling, wait);
    if (inserted_work_ > 0) give_way_until_acts_fired();
  } while (clock_ > engine_.now());
}

// What handlers have put among the acts may be later than what the thread does next: it is not waited for.
bool Thread::has_acts_due() {
  if (!acts_may_move()) return acts_ahead_ > 0 && !engine_.has_passed(last_act_);
  return !acts_.empty() && acts_.front() < Event{clock_, owner_.upcoming(EventKind::act), nullptr, 0};
}

void Thread::give_way_until_acts_fired() {
  if (!has_acts_due()) return;
  if (!acts_may_move()) engine_.at(Event{last_act_.at, reserve_act(), this, 0});  // right after the last one
  switch_away(State::draining, nullptr);
}

void Thread::wait(const Wait& wait) {
  settles_in_a_row_ = 0;
  switch_away(State::waiting, &wait);
}

void Thread::wait_without_polling(const Wait& wait) {
  polls_in_wait_ = false;
  this->wait(wait);
  polls_in_wait_ = true;
}

void Thread::wait_until(Time time, const Wait& wait) {
  if (engine_.now() < time) {
    wake_at(time);
    switch_away(State::waiting, &wait);
  }
  if (engine_.now() < time) return;  // woken to poll
  record_wait(time);
  clock_ = later_of(clock_, time);
  if (clock_ > run_ahead_until_) settle();
}

// A wake-up is for the next time that the thread gives way, and for no later one.
void Thread::wake_at(Time time) { engine_.at(time, EventKind::wake, owner_, *this, switches_ + 1); }

void Thread::park() {
  for (;;) switch_away(State::ended, nullptr);
}

// An act that nothing can put off any more is an event like others. One that may move stays with the thread.
void Thread::act(EventSink& sink, std::uint64_t data, Bytes captured) {
  if (engine_.has_passed(last_act_)) {
    acts_ahead_ = 0;
    captured_bytes_ = 0;
  }
  ++acts_ahead_;
  captured_bytes_ += captured.count();
  last_act_ = Event{clock_, reserve_act(), &sink, data};
  insert_act(last_act_.at, last_act_.order, sink, data);
  if (has_too_many_acts() && !is_off_stack_) give_way_until_acts_fired();
}

void Thread::insert_act(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
  const Event act{at, order, &sink, data};
  if (acts_may_move())
    put_among_acts(act);
  else
    engine_.at(act);
}

// Most come in the order of their times, and those that are due then go here.
void Thread::insert_quiet_act(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
  while (!quiet_acts_.empty() && engine_.has_passed(quiet_acts_.front())) {
    const Event due = quiet_acts_.front();
    quiet_acts_.pop_front();
    due.sink->fire(due);
  }
  quiet_acts_.push_back(Event{at, order, &sink, data});
}

void Thread::fire_quiet_acts() {
  for (std::size_t left = quiet_acts_.size(); left > 0; --left) {
    const Event act = quiet_acts_.front();
    quiet_acts_.pop_front();
    if (engine_.has_passed(act))
      act.sink->fire(act);
    else
      quiet_acts_.push_back(act);
  }
}

void Thread::make_quiet_acts_heard() {
  fire_quiet_acts();
  for (; !quiet_acts_.empty(); quiet_acts_.pop_front()) {
    const Event& act = quiet_acts_.front();
    insert_act(act.at, act.order, *act.sink, act.data);
  }
}

// Nearly always the last.
void Thread::put_among_acts(const Event& act) {
  auto place = acts_.end();
  while (place != acts_.begin() && act < *std::prev(place)) --place;
  const bool is_first = place == acts_.begin();
  if (place == acts_.end())
    acts_.push_back(act);
  else
    acts_.insert(place, act);
  if (is_first) schedule_first_act();
}

void Thread::schedule_first_act() {
  const Event& first = acts_.front();
  scheduled_act_ = first.order;
  scheduled_at_ = first.at;
  engine_.at(Event{first.at, first.order, this, first.data});  // the data is only to be fetched early
}

void Thread::fire(const Event& event) {
  if (event.kind() == EventKind::wake)
    fire_wake_up(event);
  else
    fire_act(event);
}

// A wake-up by its own clock.
void Thread::fetch(const Event& event, FetchStep step) const {
  if (event.kind() != EventKind::wake) return;
  if (step == 0) fetch_lines(this, 2, 4);
  if (step >= 2) fetch_what_it_needs(step - 2);
}

void Thread::fire_wake_up(const Event& event) {
  if (event.data != switches_ || state_ == State::running) return;  // of an earlier wait
  const bool was_put_off = clock_ > event.at && (state_ == State::settling || event.at == polls_at_);
  if (!was_put_off) return run_again();
  if (state_ == State::waiting) polls_at_ = clock_;
  engine_.at(clock_, EventKind::wake, owner_, *this, switches_);
}

void Thread::fire_act(const Event& event) {
  if (!acts_may_move()) return run_drained();
  const bool overtaken = event.order != scheduled_act_ || event.at != scheduled_at_;
  if (overtaken) return;
  const Event act = acts_.front();
  if (act.at > event.at) return schedule_first_act();  // put off since
  acts_.pop_front();
  if (acts_.empty())
    scheduled_at_ = Time::never();
  else
    schedule_first_act();
  if (state_ == State::draining && !has_acts_due()) run_drained();
  act.sink->fire(act);
}

void Thread::run_drained() {
  engine_.must_run_threads_ = true;
  run_again();
}

void Thread::wake(MessageId message) {
  if (state_ != State::waiting) return;
  const Time goes_on = later_of(clock_, engine_.now() + Time::ps(1));
  record_wait(goes_on, message);
  clock_ = goes_on;
  run_again();
}

void Thread::leave_poll_instant() {
  if (progress_ != Progress::polling) return;
  forget_poll_instants_before(engine_.now());
  poll_instants_.push_back({clock_, clock_, reserve_act()});
  last_poll_instant_ = clock_;
  last_poll_end_ = clock_;
}

void Thread::work_in_poll(Time cost) {
  const Time instant = last_poll_instant_;
  const Time end = clock_ + cost;
  if (!poll_instants_.empty() && poll_instants_.back().at == instant) poll_instants_.back().busy_until = end;
  last_poll_end_ = end;
  if (may_be_interrupted_) service_end_ = later_of(service_end_, end);
  charge(cost);
}

void Thread::forget_poll_instants_before(Time instant) {
  while (!poll_instants_.empty() && poll_instants_.front().at < instant) poll_instants_.pop_front();
}

std::optional<Time> Thread::service_start() {
  const std::optional<Time> start = service_start_alone();
  if (!start || processor_ == nullptr || progress_ == Progress::hardware) return start;
  return later_of(*start, processor_->begin_of_turn(*this));
}

// On a processor of its own.
std::optional<Time> Thread::service_start_alone() {
  const Time now = engine_.now();
  if (progress_ == Progress::hardware) return now;
  if (progress_ == Progress::interrupt) return later_of(now, service_end_);
  forget_poll_instants_before(now);
  if (!poll_instants_.empty()) return poll_instants_.front().busy_until;
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
  const Time end = start + cost;
  service_end_ = end;
  if (processor_ != nullptr) processor_->give_turn(*this, end);
  if (!poll_instants_.empty()) {  // polling, at the first instant
    PollInstant& instant = poll_instants_.front();
    const Time until_end = processor_ != nullptr ? end - instant.busy_until : cost;
    instant.busy_until = end;
    put_off_later_than(instant.at, instant.order, end - until_end, until_end);
  } else if (is_waiting_at(start)) {
    // What else has arrived by then is worked on in the same poll.
    if (progress_ == Progress::polling) {
      poll_instants_.push_back({start, end, reserve_act()});
      last_poll_instant_ = start;
      last_poll_end_ = start;
    }
    record_wait(start);
    clock_ = end;
  } else {
    const Time until_end = processor_ != nullptr ? end - engine_.now() : cost;
    put_off_later_than(engine_.now(), last_of_all, end - until_end, until_end);
  }
  return end;
}

Time Thread::interrupt(Time cost) {
  const Time start = processor_ != nullptr ? processor_->interrupt(*this, cost) : later_of(engine_.now(), service_end_);
  const Time end = start + cost;
  service_end_ = end;
  if (state_ == State::ended) return start;
  if (is_idle()) {
    record_wait(start);
    clock_ = end;
    idle_but_for_work_until_ = end;
  } else {
    put_off_later_than(engine_.now(), last_of_all, start, cost);
  }
  for (PollInstant& poll : poll_instants_)
    if (poll.at <= start) poll.busy_until = later_of(poll.busy_until, end);
  return start;
}

void Thread::insert_work(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
  ++inserted_work_;
  insert_act(at, order, sink, data);
}

bool Thread::has_poll_to_come() {
  if (!may_be_interrupted_ || progress_ != Progress::polling) return false;
  forget_poll_instants_before(engine_.now());
  return !poll_instants_.empty() && poll_instants_.front().at > engine_.now();
}

void Thread::insert_at_poll(EventSink& sink, std::uint64_t data) {
  insert_work(poll_instants_.front().at, poll_instants_.front().order, sink, data);
}

Time Thread::serve_now(EventOrder order, Time cost) {
  --inserted_work_;
  const Time start = engine_.now();
  put_off_later_than(start, order, start, cost);
  return start + cost;
}

// Of what the thread itself does at the instant, that which came after `order` in its program is later too. What
// earlier work in the same poll or interruption has started is over when this work starts, and is not put off.
void Thread::put_off_later_than(Time instant, EventOrder order, Time start, Time cost) {
  if (is_recorded()) engine_.recorder()->put_off(*this, instant, order, start, cost);
  const auto is_later = [&](Time at, EventOrder its) {
    if (!owner_.made(its)) return at > start;
    return at > instant || (at == instant && its > order);
  };
  if (clock_ >= instant) clock_ += cost;
  for (Event& act : acts_)
    if (is_later(act.at, act.order)) act.at += cost;
  std::sort(acts_.begin(), acts_.end());
  for (Event& act : quiet_acts_)
    if (!engine_.has_passed(act) && is_later(act.at, act.order)) act.at += cost;
  if (!acts_.empty() && acts_.front().order != scheduled_act_) schedule_first_act();
  for (PollInstant& poll : poll_instants_) {
    if (!is_later(poll.at, poll.order)) continue;
    poll.at += cost;
    poll.busy_until += cost;
  }
  if (!poll_instants_.empty()) {
    last_poll_instant_ = poll_instants_.back().at;
    last_poll_end_ = poll_instants_.back().busy_until;
  }
  for (auto mark = marks_.begin(); mark != marks_.end();) {
    Mark& current = *mark++;
    if (is_later(current.at, current.order))
      current.at += cost;
    else if (current.at < engine_.now())
      current.hook.unlink();  // nothing can put it off any more
  }
}

}  // namespace hindcast
