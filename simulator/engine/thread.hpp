// A simulated thread. It runs ahead of the clock, but never acts ahead of it:
//
//  - It has a clock L of its own. To charge is L += d, without giving way.
//  - To act is an event at L with its data captured; acts that have not fired wait in a list of the thread's own.
//  - A fact may be used once its event has fired. An absence, a choice among several, or a value that may still change
//    needs now = L first: settle().
//
// docs/design.md has the whole rule. In lockstep every charge waits for its time; the results are the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/events/event.hpp"
#include "simulator/engine/process_wide.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/engine/thread/acts_ahead.hpp"
#include "simulator/engine/thread/backlog.hpp"
#include "simulator/engine/thread/companions.hpp"
#include "simulator/engine/thread/marks.hpp"
#include "simulator/engine/thread/movable_acts.hpp"
#include "simulator/engine/thread/poll_instants.hpp"
#include "simulator/engine/thread/quiet_acts.hpp"
#include "simulator/engine/thread/wait.hpp"

namespace hindcast {

class Registers;
class SharedProcessor;

// When a message's arrival is worked on by the receiver's library.
enum class Progress : std::uint8_t {
  hardware,   // at once, without the processor
  interrupt,  // at once, taking the processor from whatever it does
  polling,    // in the next call that makes progress
};

class alignas(64) Thread final : public EventSink {
 public:
  enum class State : std::uint8_t { running, waiting, settling, draining, ended };

  Thread(Engine& engine, Rank& rank, int index, Time start, EventOwner owner);
  ~Thread();

  // The one that runs now. Null in a handler, or in a thread of the operating system's that hindcast did not start.
  static Thread* current() { return process_wide::running_thread; }

  Engine& engine() { return engine_; }
  Rank& rank() const { return rank_; }
  int index() const { return index_; }
  State state() const { return state_; }
  Time clock() const { return clock_; }

  // --- by the thread itself ---

  // `wait` says what the thread is at, should it have to give way.
  void charge(Time cost, const Wait* wait = nullptr) {
    if (clock_ + cost > run_ahead_until_) [[unlikely]]
      return charge_slowly(cost, wait);
    clock_ += cost;
  }
  // The same for a step that a recorder is told of.
  void spend(const StepKind& kind, Time cost, MessageId message = 0, std::uint64_t amount = 0,
             const Wait* wait = nullptr) {
    if (is_recorded()) [[unlikely]]
      return spend_recorded(kind, cost, message, amount, wait);
    charge(cost, wait);
  }
  void spend(const FixedStep& step, MessageId message = 0) { spend(step.kind, step.cost, message); }
  void spend(const RatedStep& step, std::uint64_t amount, MessageId message = 0) {
    spend(step.kind, step.rate.time_for(amount), message, amount);
  }
  // Something that takes no time, such as one of MessageMarks, for a recorder.
  bool is_recorded() const { return engine_.recorder() != nullptr; }
  void mark(const StepKind& kind, MessageId message, std::uint64_t amount, int peer,
            const MessageLabel* label = nullptr) {
    if (is_recorded()) [[unlikely]]
      record_mark(kind, message, amount, peer, label);
  }
  // The same for a step that leaves the processor to others, such as sleep.
  void spend_idly(const StepKind& kind, Time cost) {
    if (is_recorded()) [[unlikely]]
      record_own(kind, cost, 0, 0);
    clock_ += cost;
    if (clock_ > run_ahead_until_) settle();
  }
  // Nothing to do until `time`, a fact that nothing can move, such as the end of a transfer. Where the library polls,
  // it may come back before, at an instant at which something is left to be worked on.
  void idle_until(Time time, const Wait& wait) {
    if (time <= clock_) return;
    if (progress_ == Progress::hardware && !may_be_interrupted_)
      pass_until(time, wait);
    else
      wait_until(time, wait);
  }
  // The same where the library does not poll.
  void pass_until(Time time, const Wait& wait) {
    if (time <= clock_) return;
    record_wait(time, wait);
    clock_ = time;
    if (clock_ > run_ahead_until_ && !is_off_stack_) settle(&wait);
  }
  // What others can notice: `sink` is fired at L. `captured` is how much memory the act holds on to.
  void act(EventSink& sink, std::uint64_t data, Bytes captured = Bytes());
  // The same where the thread must not give way, however many acts it has: it has soon, or does not run ahead.
  void act_and_go_on(EventSink& sink, std::uint64_t data, Bytes captured = Bytes());
  // What nobody notices before a handler asks for it (fire_quiet_acts), so that it takes no event.
  void act_quietly(EventSink& sink, std::uint64_t data) { insert_quiet_act(clock_, reserve_act(), sink, data); }
  // Gives way until now = L. `wait` says what for, if the thread looks for something then.
  void settle(const Wait* wait = nullptr) {
    if (clock_ > engine_.now()) give_way_until_clock(wait);
    if (wait != nullptr) engine_.idle_looks().count(looks_);
  }
  // The same, again and again while `onward` wants to settle. It is asked at now = L, off the stack if nothing forbids
  // that.
  void settle_with(Continuation& onward);
  // Gives way, as `first` says, and goes on off its stack until `onward` runs.
  void give_way_with(Continuation& onward, Onward first);
  // Gives way until woken. The caller reads its condition again: while (!done) thread.wait(...).
  void wait(const Wait& wait);
  // The same in a call that makes no progress, as one that waits inside the operating system: what arrives meanwhile is
  // left for the next call that does.
  void wait_without_polling(const Wait& wait);
  // The same until `time` at the latest, by a thread that does not run ahead.
  void wait_without_polling_until(Time time, const Wait& wait);
  // Ends here: the thread is never run again.
  [[noreturn]] void park();
  // By another thread of its rank: wherever it is, it is never run again.
  void stop();
  // The end of the run has been asked for, and the thread, which was computing, is not to go on.
  [[noreturn]] void stop_computing();

  // Whether it may go on off its stack: only if nothing that it does there could make it give way.
  bool may_go_on_off_stack() const {
    return run_ahead_until_ >= Time() && progress_ != Progress::interrupt && !may_be_interrupted_ && !is_recorded();
  }
  // Until its next wait ends, or for none.
  void go_on_with(Continuation* continuation) { continuation_ = continuation; }
  bool has_continuation() const { return continuation_ != nullptr; }
  bool is_off_stack() const { return is_off_stack_; }
  // Off its stack, or on it in an errand that can be suspended (errand.hpp): what gives way there had better be one
  // too.
  bool is_on_errand() const { return is_off_stack_ || is_on_errand_; }
  // Returns whether it was.
  bool be_on_errand(bool it_is) { return std::exchange(is_on_errand_, it_is); }
  // A call returns to the program and leaves this to be done.
  void begin_backlog(Backlog& backlog) {
    backlog_ = &backlog;
    has_backlog_ = true;
  }
  bool has_backlog() const { return has_backlog_; }
  // By whoever begins to work it off.
  void take_backlog() { has_backlog_ = false; }
  void work_off_backlog() {
    if (has_backlog_) [[unlikely]]
      backlog_->work_off();
  }
  // It has given way only to learn something that it has to know before it goes on, at its clock as it was.
  void goes_back_to(Time clock) { clock_ = clock; }
  // It would have given way by now: it should go on where it can.
  bool has_too_many_acts() const { return acts_ahead_.are_too_many(); }
  // Off its stack, around arithmetic on the program's behalf: with the rounding and the flags that the program has.
  void take_up_arithmetic();
  void put_down_arithmetic();

  // --- by handlers ---

  // Runs the thread if it waits, because of a message if one is given. Harmless if it does not.
  void wake(MessageId message = 0);
  // It will be woken soon, and is there itself: fetches what it will look at, in two steps.
  void fetch_what_it_needs(FetchLevel level) const;
  // Its library, which needs the processor for it, will work on an arrival soon: fetches what that looks at, in two
  // steps.
  void fetch_for_arrival(FetchLevel level) const;
  // The thread will act quietly soon: fetches in two levels what that looks at.
  void fetch_quiet_acts(FetchLevel level) const { level == 0 ? fetch_lines(&quiet_acts_, 0, 1) : quiet_acts_.fetch(); }
  // What the layers above keep for the thread, and look at when it runs on its stack, or wherever it goes on: fetched
  // with it.
  void goes_with_stack(const void* memory, int lines = 1) { companions_.add(memory, lines, false); }
  void goes_with(const void* memory, int lines = 1) { companions_.add(memory, lines, true); }

  // --- library work on arrivals, where the machine's library needs the processor for it ---

  Progress progress() const { return progress_; }
  bool may_be_interrupted() const { return may_be_interrupted_; }
  // Whether it waits in a call that looks at what arrives.
  bool attends() const { return state_ == State::waiting && polls_in_wait_; }
  // By the thread, in a call that makes progress: arrivals may be worked on now (at L).
  void leave_poll_instant();
  // By the thread, right after it: when work there on what had arrived before begins, and until when it takes in all.
  Time start_of_work_in_poll() const;
  void work_in_poll_until(Time end);
  // By a handler: when work on what arrives now can begin. Nothing: not before the next call that makes progress.
  std::optional<Time> service_start();
  // By a handler, if the thread may be interrupted: the call in which an arrival is worked on is known, but not when it
  // comes. `sink` is fired then, calls start_at_poll, and finds that the work can begin.
  bool has_poll_to_come();
  void insert_at_poll(EventSink& sink, std::uint64_t data);
  void start_at_poll() { --inserted_work_; }
  // By a handler: takes `cost` from `start` on, putting off everything of the thread that is later. Returns its end.
  Time serve(Time start, Time cost);
  // By a handler: the system has work of `cost` for the processor, whatever the library's progress. It begins now, or
  // when earlier work on arrivals is over: returned is when.
  Time interrupt(Time cost);
  // By a handler: whether the thread waits, with no more to do than work that has interrupted it.
  bool is_idle() const { return is_waiting_at(later_of(engine_.now(), idle_but_for_work_until_)); }
  // By a handler: the thread, which is ahead of the clock, has work to do at `at` that it could not know of, such as on
  // a message that has come before a receive. `order` is the work's place, which the thread has reserved; `sink` is
  // fired then, and calls serve_now. Nothing that the thread does at its own time is before what is due by then.
  void insert_work(Time at, EventOrder order, EventSink& sink, std::uint64_t data);
  Time serve_now(EventOrder order, Time cost);
  // By whoever does such work, here or in a poll, and has made room for it: what a recorder is told.
  void record_service(const StepKind& kind, Time start, Time cost, MessageId message, std::uint64_t amount = 0) {
    if (is_recorded()) [[unlikely]]
      record(kind, start, start + cost, message, amount, true);
  }
  // Something that the work starts, put among the thread's acts by time, not before now. Its order is that of whoever
  // starts it: a part's own, or one that the thread reserved when it made the work possible.
  void insert_act(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
    insert_act(Event{at, order, &sink, data});
  }
  void insert_quiet_act(Time at, EventOrder order, EventSink& sink, std::uint64_t data) {
    quiet_acts_.put(Event{at, order, &sink, data});
  }
  // Fires the quiet acts that are due by now.
  void fire_quiet_acts() { quiet_acts_.fire_due(); }
  // Those that are left become acts like others: from now on somebody waits for them.
  void make_quiet_acts_heard();
  EventOrder reserve_act() { return owner_.next(EventKind::act); }
  // An instant of the thread's that interruptions put off.
  void keep(Mark& mark) {
    if (progress_ != Progress::hardware || may_be_interrupted_) marks_.keep(mark);
  }
  // A clock may be read without giving way only if nothing can still move L.
  bool clock_is_certain() const {
    if (may_be_interrupted_) return clock_ <= engine_.now();
    return progress_ == Progress::hardware ||
           (progress_ == Progress::polling && poll_instants_.last_end() < engine_.now() && inserted_work_ == 0);
  }

  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void stop_running_ahead() { run_ahead_until_ = Time::ps(-1); }
  // Before the thread runs, or by another of its rank while it is at the engine's now. It does not run ahead.
  void share(SharedProcessor& processor) { processor_ = &processor; }

  // What the deadlock report needs.
  const Wait* waits_for() const { return wait_; }
  Time waits_since() const { return waits_since_; }
  const IdleLooks::Own& looks() const { return looks_; }
  // Whether a wake-up of its own is one that it no longer waits for.
  bool is_past(const Event& wake_up) const {
    return wake_up.data != switches_ || state_ == State::running || state_ == State::ended;
  }

 private:
  friend class Engine;
  friend class SharedProcessor;
  friend struct Rank;

  static constexpr int steps_ahead_max = 1000;

  // As its rank has them.
  void set_progress(Progress progress, Time poll_period) {
    progress_ = progress;
    poll_period_ = poll_period;
  }
  void set_may_be_interrupted() { may_be_interrupted_ = true; }

  // Giving way and going on.
  void run_body(const std::function<void()>& body);
  void switch_away(State state, const Wait* wait);
  void do_outside(const std::function<void()>& what);
  void keep_place();
  void run_again();
  void stay_stopped();
  void go_on_off_stack();
  void return_to_stack();  // unless it gives way again
  void charge_slowly(Time cost, const Wait* wait);
  void give_way_until_clock(const Wait* wait);
  void wait_until(Time time, const Wait& wait);
  void wake_at(Time time);
  void fire_wake_up(const Event& event);

  // Acts.
  // Whether something can still put off what the thread has done ahead of the clock.
  bool acts_may_move() const { return progress_ != Progress::hardware || may_be_interrupted_ || processor_ != nullptr; }
  void insert_act(const Event& act);
  bool has_acts_due();
  void give_way_until_acts_fired();
  void fire_act(const Event& event);
  void run_drained();

  // Work on arrivals, and interruptions.
  bool is_waiting_at(Time time) const { return state_ == State::waiting && clock_ <= time; }
  std::optional<Time> service_start_alone();
  void put_off(const Postponement& postponement);
  void put_off_from_now(Time start, Time cost);

  // What a recorder is told.
  void spend_recorded(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount, const Wait* wait);
  void record(const StepKind& kind, Time begin, Time end, MessageId message, std::uint64_t amount, bool is_service);
  void record_own(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount);
  void record_mark(const StepKind& kind, MessageId message, std::uint64_t amount, int peer, const MessageLabel* label);
  // The clock stands still while the thread waits.
  void record_wait(Time end, const Wait& wait, MessageId message = 0) {
    if (is_recorded() && end > clock_) [[unlikely]]
      record(wait.step(), clock_, end, message, 0, false);
  }

  void fetch_stack() const;
  void fetch_instants(FetchLevel level) const;

  // What a thread that runs looks at is in the first two lines of the cache, and so is what wakes it.
  Engine& engine_;
  Rank& rank_;
  EventOwner owner_;
  Time clock_;
  Time run_ahead_until_;
  State state_ = State::running;
  Progress progress_ = Progress::hardware;
  bool may_be_interrupted_ = false;
  bool is_off_stack_ = false;
  bool is_on_errand_ = false;
  bool has_backlog_ = false;
  bool polls_in_wait_ = true;
  bool is_stopped_ = false;

  ActsAhead acts_ahead_;
  SharedProcessor* processor_ = nullptr;  // if others use it too
  Continuation* continuation_ = nullptr;

  const char* stack_ = nullptr;
  std::uint64_t switches_ = 0;  // how often the thread has given way
  const Wait* wait_ = nullptr;
  Time waits_since_;
  Time polls_at_ = Time::never();   // when a waiting thread goes on to work on what came while it worked
  Registers* registers_ = nullptr;  // the program's, while it is off its stack
  void* actor_ = nullptr;           // simgrid::s4u::Actor, which only the driver knows

  const void* actor_memory_ = nullptr;  // what SimGrid looks at when it switches to the actor, or away
  Companions companions_;

  // What an arrival looks at where it needs the processor is in three lines more.
  MovableActs movable_acts_;  // none unless they may move
  QuietActs quiet_acts_;
  Time service_end_;
  Time idle_but_for_work_until_;  // of the last interruption of a wait
  int inserted_work_ = 0;
  PollInstants poll_instants_;  // none before the engine's now, once looked at
  Marks marks_;

  int index_ = 0;
  IdleLooks::Own looks_;
  int steps_ahead_ = 0;  // recorded since the thread last settled for it
  bool began_in_run_ = false;
  bool is_in_turn_ = false;
  Time poll_period_;
  Backlog* backlog_ = nullptr;  // if it has one
};

}  // namespace hindcast
