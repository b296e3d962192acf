#include "simulator/engine/thread/shared_processor.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/rank.hpp"

namespace hindcast {

SharedProcessor::SharedProcessor(Engine& engine, Time slice, FixedStep switching)
    : engine_(engine), slice_(slice), switching_(std::move(switching)) {}

void SharedProcessor::add(Thread& thread) {
  threads_.push_back(&thread);
  thread.rank().stop_running_ahead();
  thread.share(*this);
}

void SharedProcessor::take_turns(Thread& thread, const StepKind* kind, Time cost, MessageId message,
                                 std::uint64_t amount, const Wait* wait) {
  bool continues = false;
  do {
    const Time turn = std::min(cost, slice_);
    if (turn > Time()) begin_turn(thread, turn);
    if (kind != nullptr)
      engine_.recorder()->on_thread(thread,
                                    Step{kind, message, thread.clock_, thread.clock_ + turn, continues ? 0 : amount,
                                         thread.owner_.upcoming(EventKind::act), false, -1, continues});
    thread.clock_ += turn;
    cost = cost - turn;
    thread.is_in_turn_ = true;
    thread.settle(wait);
    thread.is_in_turn_ = false;
    continues = true;
  } while (cost > Time());
}

// The thread's clock goes to where the turn begins, which is known; work of the system's may still put it off.
void SharedProcessor::begin_turn(Thread& thread, Time cost) {
  const Time begin = begin_of_turn(thread);
  record_wait_for_turn(thread, begin);
  give_turn(thread, begin + cost);
  thread.clock_ = begin;
}

// From the thread's clock on, and for the switching before the turn if there is any.
void SharedProcessor::record_wait_for_turn(Thread& thread, Time begin) const {
  if (!thread.is_recorded()) return;
  const Time waits_until = must_switch_to(thread) ? begin - switching_.cost : begin;
  if (waits_until > thread.clock_) thread.record(step_wait_for_processor, thread.clock_, waits_until, 0, 0, false);
  if (begin > waits_until) thread.record(switching_.kind, waits_until, begin, 0, 0, false);
}

Time SharedProcessor::begin_of_turn(const Thread& thread) const {
  const Time free = later_of(engine_.now(), free_at_);
  return must_switch_to(thread) ? free + switching_.cost : free;
}

void SharedProcessor::give_turn(const Thread& thread, Time end) {
  last_ = &thread;
  free_at_ = end;
}

Time SharedProcessor::interrupt(const Thread& on_behalf_of, Time cost) {
  const Time start = later_of(engine_.now(), interrupted_until_);
  interrupted_until_ = start + cost;
  for (Thread* thread : threads_)
    if (thread != &on_behalf_of) put_off_turn(*thread, start, cost);
  free_at_ = free_at_ > engine_.now() ? free_at_ + cost : interrupted_until_;
  return start;
}

void SharedProcessor::put_off_turn(Thread& thread, Time start, Time cost) const {
  const bool is_served = thread.state_ == Thread::State::waiting && thread.clock_ > engine_.now();
  if (!thread.is_in_turn_ && !is_served) return;
  thread.put_off_from_now(start, cost);
  if (thread.is_recorded()) thread.record(step_wait_for_processor, start, start + cost, 0, 0, true);
}

}  // namespace hindcast
