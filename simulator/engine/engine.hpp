// The simulation: the clock, the pending events and the simulated threads, run by SimGrid.
//
// SimGrid's actors are the threads and its clock follows ours; our events are one resource model of its engine
// (simulator/simgrid/driver.cpp). SimGrid allows one simulation per process, so there is one Engine at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/events/event_queue.hpp"
#include "simulator/engine/idle_looks.hpp"
#include "simulator/engine/lookahead.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/engine/memory/given_stack.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class Engine;
class Flows;
class Recorder;
class Thread;
struct Rank;

struct EngineOptions {
  bool lockstep = false;              // every charge is an event of its own; the results are the same
  Time max_time = Time::never();      // the simulation ends here
  std::size_t actor_stack_bytes = 0;  // of SimGrid's own stacks; 0: large enough to run a rank on
  bool ends_process = false;          // the run's end is told too, and the process ends with it
  // After so many looks by threads at what has not come, while nothing else happened, on_idle_polls is called once, and
  // after so many in all the run ends. 0: never.
  std::uint64_t idle_polls_told = 0;
  std::uint64_t idle_polls_max = 0;
};

// The last two are asked for from outside.
enum class Ending { finished, deadlock, out_of_time, idle_polls, out_of_host_time, interrupted };

// What is done around a switch from one simulated thread to another, by whoever keeps state that belongs to the
// process.
class SwitchHook {
 public:
  virtual void leave(Thread& thread) = 0;
  virtual void enter(Thread& thread) = 0;
  // Before a run ends early, on the stack of a thread that waits: where in the program it is may be kept.
  virtual void keep_place(Thread& /*thread*/) {}

 protected:
  ~SwitchHook() = default;
};

class Engine {
 public:
  explicit Engine(const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Time now() const { return now_; }
  // Whether an event of this time and order would have fired by now.
  bool has_passed(const Event& event) const { return event < Event{now_, last_fired_, nullptr, 0}; }
  // Whether what is looked at soon is fetched now (simulator/engine/fetching.hpp).
  bool fetches_ahead() const { return lookahead_.is_worth_while(living_threads_); }
  // Whether all events of this instant have fired, so that nothing changes before the next picosecond but what threads
  // do that run now.
  bool is_instant_over() const { return now_ < passed_before_ && (events_.empty() || events_.top().at > now_); }
  const EngineOptions& options() const { return options_; }

  EventOwner new_owner();
  void at(const Event& event) { events_.push(event); }
  void at(Time time, EventKind kind, EventOwner& owner, EventSink& sink, std::uint64_t data) {
    events_.push(Event{time, owner.next(kind), &sink, data});
  }

  // A rank on a node of the platform, which has a name there; ranks are numbered as they are added.
  Rank& add_rank(const std::string& node_name);
  const std::vector<std::unique_ptr<Rank>>& ranks() const { return ranks_; }

  // A rank's first thread or a further one. It starts at the caller's clock, or at 0 before the run; started by a
  // handler, it acts a picosecond after it at the earliest.
  // Before a run with which the process ends it may be given its stack. Else it has one of SimGrid's.
  Thread& start_thread(Rank& rank, std::function<void()> body, const StackMemory& stack = {});
  // A thread has ended and nobody asks for it any more: what it took is there for later ones. As long as the rank
  // lives, its main thread is not buried.
  void bury(Thread& thread);
  // Buries all threads of a rank, which have ended. The rank's number is not used again.
  void bury(Rank& rank);

  // Runs until every thread has ended. The platform must exist by now.
  // A deadlock or the end of time is told to `on_end`, which must not return: SimGrid would go on to throw through the
  // program's frames. So is the end of all threads if the process ends with the run, which spares taking down SimGrid's
  // actors: that would cost each a further page of its stack.
  void run(std::function<void(Ending)> on_end);
  // Asks for the end of the run, which comes as soon as threads give way. A signal handler may call it.
  void request_end(Ending ending) { requested_ending_.store(ending, std::memory_order_relaxed); }
  bool is_end_requested() const { return requested_ending_.load(std::memory_order_relaxed) != Ending::finished; }
  // Set before the run, or never.
  void on_idle_polls(std::function<void()> tell) { on_idle_polls_ = std::move(tell); }
  IdleLooks& idle_looks() { return idle_looks_; }
  const IdleLooks& idle_looks() const { return idle_looks_; }

  void set_switch_hook(SwitchHook* hook) { switch_hook_ = hook; }
  SwitchHook* switch_hook() const { return switch_hook_; }

  // Told of messages by networks.
  Lookahead& lookahead() { return lookahead_; }

  // For what lives as long as somebody waits.
  BufferPool& pool() { return pool_; }

  // Set before the run, or never.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }
  Recorder* recorder() const { return recorder_; }

  // The last instant at which something happened other than a thread going on by itself: what a polling loop waits for.
  Time last_outside_event() const { return last_outside_event_; }
  // Whether nothing will happen any more, as all threads wait.
  bool is_nothing_to_come() const;
  // Whether all threads wait, some of them by looking again and again, and nothing else is pending.
  bool is_idle() const { return idle_looks_.is_past_a_round() || are_only_looks_pending(); }

 private:
  friend class Flows;
  friend class Thread;
  class Driver;

  // SimGrid's clock catches up after so many instants at the latest.
  static constexpr int instants_passed_max = 1000;

  // As soon as so many threads can run they do, though more may follow at the same instant: what has been fetched for
  // them is still in the caches.
  static constexpr std::uint32_t run_together_max = 16;

  std::unique_ptr<Thread> new_thread(Rank& rank);
  StackMemory stack_given(const StackMemory& stack) const;
  void fire_next_instant();
  void fire_events_of_next_instant();
  // Fires what comes until a thread can run, or SimGrid has to move its clock first.
  void pass_instants();
  void judge_idle_looks();
  bool are_only_looks_pending() const;
  bool are_all_at_their_looks() const;
  // Has every thread that waits keep its place, once. Whether that is still to be done: then the run must go on.
  bool asks_for_places();
  bool has_time_ended() const { return !events_.empty() && events_.top().at > options_.max_time; }

  EngineOptions options_;
  Time now_;
  EventOrder last_fired_ = 0;  // or being fired now
  Time last_outside_event_;
  EventQueue events_;
  BufferPool pool_;
  std::uint32_t owners_ = 0;
  std::uint32_t runnable_ = 0;               // threads that have not given way since they were woken
  std::vector<Thread*> going_on_off_stack_;  // woken at this instant
  std::uint32_t living_threads_ = 0;
  std::vector<std::unique_ptr<Thread>> buried_;  // events that are out of date may still point to them
  bool has_begun_ = false;
  int instants_passed_ = 0;             // since SimGrid's clock moved
  bool must_run_threads_ = false;       // before any other event, even of this instant
  Flows* flows_ = nullptr;              // SimGrid's own, where they are used
  Time passed_before_ = Time::never();  // earlier instants may be passed while SimGrid's clock stays behind
  SwitchHook* switch_hook_ = nullptr;
  Recorder* recorder_ = nullptr;
  std::function<void(Ending)> on_end_;
  std::function<void()> on_idle_polls_;
  IdleLooks idle_looks_;
  int wake_ups_waited_ = 0;  // for threads to be found at their looks
  bool is_asking_for_places_ = false;
  std::atomic<Ending> requested_ending_ = Ending::finished;  // none
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::unique_ptr<Driver> driver_;
  Lookahead lookahead_;
};

}  // namespace hindcast
