#include "simulator/engine/engine.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "simulator/engine/driver.hpp"
#include "simulator/engine/flows.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/engine/thread/shared_processor.hpp"

namespace hindcast {

EventOwner Engine::new_owner() {
  if (owners_ == EventOwner::id_max) throw std::length_error("more than 16 million simulated threads and parts");
  return EventOwner(owners_++);
}

Rank& Engine::add_rank(const std::string& node_name) {
  ranks_.push_back(std::make_unique<Rank>(*this, static_cast<int>(ranks_.size()), node_name));
  return *ranks_.back();
}

Thread& Engine::start_thread(Rank& rank, std::function<void()> body, const StackMemory& stack) {
  if (!rank.threads.empty()) rank.stop_running_ahead();
  rank.add(new_thread(rank));
  Thread& thread = *rank.threads.back();
  thread.began_in_run_ = has_begun_;
  if (rank.processor != nullptr) rank.processor->add(thread);
  ++living_threads_;
  ++runnable_;
  const auto start = [&] {
    thread.actor_ = driver::start_actor(
        rank.node_name, [&thread, body = std::move(body)] { thread.run_body(body); }, stack_given(stack));
  };
  Thread* const starter = Thread::current();
  if (starter != nullptr && !starter->is_off_stack())
    starter->do_outside(start);
  else
    start();
  thread.actor_memory_ = driver::memory_of(thread.actor_);
  return thread;
}

// SimGrid would free it at the end of its actor. Those of the run's beginning do not come to theirs if the process ends
// before (Thread::run_body). What has guards it allocates in another way.
StackMemory Engine::stack_given(const StackMemory& stack) const {
  constexpr std::size_t granule = 1024;
  constexpr std::size_t bytes_max = std::numeric_limits<unsigned>::max();
  const bool may_be = options_.ends_process && options_.actor_stack_bytes > 0 && !has_begun_ &&
                      GivenStack::is_possible() && stack.bytes <= bytes_max && stack.bytes % granule == 0;
  return may_be ? stack : StackMemory();
}

std::unique_ptr<Thread> Engine::new_thread(Rank& rank) {
  std::vector<bool> is_taken(rank.threads.size() + 1);
  for (const auto& thread : rank.threads)
    if (const auto taken = static_cast<std::size_t>(thread->index()); taken < is_taken.size()) is_taken[taken] = true;
  const auto index = static_cast<int>(std::find(is_taken.begin(), is_taken.end(), false) - is_taken.begin());
  const Time start = Thread::current() != nullptr ? Thread::current()->clock() : has_begun_ ? now_ + Time::ps(1) : now_;
  if (buried_.empty()) return std::make_unique<Thread>(*this, rank, index, start, new_owner());
  // As the same owner of events, and with the same count of its turns: so what is out of date is known to be.
  std::unique_ptr<Thread> thread = std::move(buried_.back());
  buried_.pop_back();
  const EventOwner owner = thread->owner_;
  const std::uint64_t switches = thread->switches_;
  std::destroy_at(thread.get());
  std::construct_at(thread.get(), *this, rank, index, start, owner);
  thread->switches_ = switches;
  return thread;
}

void Engine::bury(Thread& thread) {
  if (thread.state() != Thread::State::ended) throw std::logic_error("a thread is buried before it has ended");
  thread.fire_quiet_acts();
  if (thread.processor_ != nullptr) thread.processor_->remove(thread);
  buried_.push_back(thread.rank().remove(thread));
}

void Engine::bury(Rank& rank) {
  while (!rank.threads.empty()) bury(*rank.threads.back());
}

// All threads that wake by themselves at this instant run before anything else happens at it: what they do then takes
// its place among the other events of the instant.
void Engine::fire_events_of_next_instant() {
  now_ = events_.top().at;
  must_run_threads_ = false;
  for (;;) {
    if (idle_looks_.are_to_be_judged() && events_.top().kind() == EventKind::wake) judge_idle_looks();
    const Event event = events_.pop();
    last_fired_ = event.order;
    const bool was_wake_up = event.kind() == EventKind::wake;
    if (!was_wake_up) {
      last_outside_event_ = now_;
      idle_looks_.begin_again();
    }
    if (fetches_ahead()) Lookahead::fetch(events_);
    event.sink->fire(event);
    if (events_.empty() || events_.top().at != now_ || must_run_threads_ || runnable_ >= run_together_max) return;
    const bool wake_ups_are_over = events_.top().kind() != EventKind::wake;
    if (was_wake_up && wake_ups_are_over && runnable_ > 0) return;
  }
}

// Threads that go on off their stacks do so when those that need them would be resumed. Those that are done with it
// return to their stacks together, so that these are fetched meanwhile.
void Engine::fire_next_instant() {
  fire_events_of_next_instant();
  for (Thread* thread : going_on_off_stack_) thread->go_on_off_stack();
  for (Thread* thread : going_on_off_stack_) thread->return_to_stack();
  going_on_off_stack_.clear();
}

// SimGrid looks at every one of its models when its clock moves, which takes longer than all that we do for a message.
// Nobody sees its clock but flows of its own, when they start and when they end. So once the last thread has given way,
// events are fired there and then, up to the next wake-up.
void Engine::pass_instants() {
  while (runnable_ == 0) {
    if (events_.empty() || is_end_requested() || events_.top().at >= passed_before_ || has_time_ended() ||
        living_threads_ == 0)
      return;
    if (++instants_passed_ > instants_passed_max) return;
    fire_next_instant();
  }
}

namespace {

template <typename Condition>
bool all_of_threads(const std::vector<std::unique_ptr<Rank>>& ranks, Condition condition) {
  return std::all_of(ranks.begin(), ranks.end(), [&](const auto& rank) {
    return std::all_of(rank->threads.begin(), rank->threads.end(),
                       [&](const auto& thread) { return condition(*thread); });
  });
}

bool waits(const Thread& thread) {
  return thread.state() == Thread::State::waiting || thread.state() == Thread::State::ended;
}

}  // namespace

// What a thread looks for is known while it is at its look. Where several do other things in between, they may never be
// found there all at once, and are not waited for long.
void Engine::judge_idle_looks() {
  constexpr int waited_max = 100;
  if (!are_only_looks_pending()) return idle_looks_.begin_again();
  const bool is_told_of = idle_looks_.are_to_be_told() || idle_looks_.are_too_many();
  if (is_told_of && !are_all_at_their_looks() && ++wake_ups_waited_ <= waited_max) return;
  wake_ups_waited_ = 0;
  if (idle_looks_.are_to_be_told() && on_idle_polls_) {
    idle_looks_.are_told();
    on_idle_polls_();
  }
  if (idle_looks_.are_too_many()) request_end(Ending::idle_polls);
  idle_looks_.begin_next_round();
}

bool Engine::is_nothing_to_come() const {
  return events_.empty() && runnable_ == 0 && (flows_ == nullptr || !flows_->are_under_way());
}

// Whoever waits until a time, for something or for the time itself, may have looked again and again by that. What wakes
// others at a time, as an alarm does, is something that comes.
bool Engine::are_only_looks_pending() const {
  const auto keeps_looking = [&](const Thread& thread) {
    return idle_looks_.keeps_looking(thread.looks(), living_threads_);
  };
  const auto is_look = [&](const Event& event) {
    if (event.kind() != EventKind::wake) return false;
    const auto* thread = dynamic_cast<const Thread*>(event.sink);
    return thread != nullptr && (thread->is_past(event) || keeps_looking(*thread));
  };
  const auto waits_or_keeps_looking = [&](const Thread& thread) { return waits(thread) || keeps_looking(thread); };
  return (flows_ == nullptr || !flows_->are_under_way()) && idle_looks_.count() > 0 && events_.all_are(is_look) &&
         all_of_threads(ranks_, waits_or_keeps_looking);
}

bool Engine::are_all_at_their_looks() const {
  return all_of_threads(ranks_, [](const Thread& thread) { return waits(thread) || thread.waits_for() != nullptr; });
}

bool Engine::asks_for_places() {
  constexpr std::size_t asked_max = 64;
  if (is_asking_for_places_ || switch_hook_ == nullptr) return false;
  is_asking_for_places_ = true;
  std::size_t asked = 0;
  for (const auto& rank : ranks_) {
    if (asked == asked_max) break;
    for (const auto& thread : rank->threads) {
      if (thread->state() == Thread::State::ended) continue;
      driver::resume(thread->actor_);
      ++asked;
    }
  }
  return asked > 0;
}

}  // namespace hindcast
