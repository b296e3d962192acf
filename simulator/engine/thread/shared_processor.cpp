#include "simulator/engine/thread/shared_processor.hpp"

#include <algorithm>
#include <utility>

#include "simulator/engine/rank.hpp"

namespace hindcast {

SharedProcessor::SharedProcessor(Engine& engine, int processors, Time slice, FixedStep switching)
    : engine_(engine),
      slice_(slice),
      switching_(std::move(switching)),
      processors_(static_cast<std::size_t>(processors)) {}

void SharedProcessor::add(Rank& rank) {
  for (const auto& thread : rank.threads) add(*thread);
}

void SharedProcessor::add(Thread& thread) {
  members_.push_back({&thread, ++members_so_far_, 0, Time()});
  thread.rank().processor = this;
  thread.rank().stop_running_ahead();
  thread.share(*this);
}

void SharedProcessor::remove(const Thread& thread) {
  std::erase_if(members_, [&](const Member& one) { return one.thread == &thread; });
}

void SharedProcessor::take_turns(Thread& thread, const StepKind* kind, Time cost, MessageId message,
                                 std::uint64_t amount, const Wait* wait) {
  bool continues = false;
  do {
    const Time turn = std::min(cost, slice_);
    if (turn > Time()) begin_turn(thread, turn, false);
    if (kind != nullptr)
      engine_.recorder()->on_thread(thread,
                                    Step{kind, message, thread.clock_, thread.clock_ + turn, continues ? 0 : amount,
                                         thread.owner_.upcoming(EventKind::act), false, -1, continues});
    end_turn(thread, thread.clock_ + turn, wait);
    cost = cost - turn;
    continues = true;
  } while (cost > Time());
}

void SharedProcessor::take_turn_until(Thread& thread, Time end) {
  begin_turn(thread, end - begin_of_turn(thread, thread.clock_), true);
  end_turn(thread, end, nullptr);
}

void SharedProcessor::end_turn(Thread& thread, Time end, const Wait* wait) const {
  thread.clock_ = end;
  thread.is_in_turn_ = true;
  if (thread.clock_ > engine_.now()) thread.give_way_until_clock(wait);
  thread.is_in_turn_ = false;
}

// The thread's clock goes to where the turn begins, which is known; work of the system's may still put it off.
void SharedProcessor::begin_turn(Thread& thread, Time cost, bool is_service) {
  const std::size_t number = first_for(thread, thread.clock_);
  const Processor& processor = processors_[number];
  const Time begin = begin_on(processor, thread, thread.clock_);
  record_wait_for_turn(thread, begin, processor.must_switch_to(member(thread).number), is_service);
  give_turn_on(number, thread, begin + cost);
  thread.clock_ = begin;
}

// From the thread's clock on, and for the switching before the turn if there is any.
void SharedProcessor::record_wait_for_turn(Thread& thread, Time begin, bool switches, bool is_service) const {
  if (!thread.is_recorded()) return;
  const Time waits_until = switches ? begin - switching_.cost : begin;
  const Time since = later_of(thread.clock_, member(thread).interrupted_until);
  if (waits_until > since) thread.record(step_wait_for_processor, since, waits_until, 0, 0, is_service);
  if (begin > waits_until) thread.record(switching_.kind, waits_until, begin, 0, 0, is_service);
}

Time SharedProcessor::begin_of_turn(const Thread& thread, Time from) const {
  return begin_on(processors_[first_for(thread, from)], thread, from);
}

void SharedProcessor::give_turn(const Thread& thread, Time end) {
  give_turn_on(first_for(thread, engine_.now()), thread, end);
}

void SharedProcessor::give_turn_on(std::size_t number, const Thread& thread, Time end) {
  member(thread).processor = number;
  processors_[number].last = member(thread).number;
  processors_[number].free_at = end;
}

Time SharedProcessor::begin_on(const Processor& processor, const Thread& thread, Time from) const {
  const Time free = later_of(from, processor.free_at);
  return processor.must_switch_to(member(thread).number) ? free + switching_.cost : free;
}

std::size_t SharedProcessor::first_for(const Thread& thread, Time from) const {
  std::size_t first = member(thread).processor;
  if (member(thread).interrupted_until > engine_.now()) return first;  // it goes on where it is being worked for
  for (std::size_t other = 0; other < processors_.size(); ++other)
    if (begin_on(processors_[other], thread, from) < begin_on(processors_[first], thread, from)) first = other;
  return first;
}

Time SharedProcessor::interrupt(const Thread& on_behalf_of, Time cost) {
  const Time start = start_of_interrupt(on_behalf_of);
  const std::size_t number = interrupted_by(on_behalf_of);
  Processor& processor = processors_[number];
  member(on_behalf_of).processor = number;
  member(on_behalf_of).interrupted_until = processor.interrupted_until = start + cost;
  for (const Member& other : members_)
    if (other.thread != &on_behalf_of && other.processor == number) put_off_turn(*other.thread, start, cost);
  processor.free_at = processor.free_at > engine_.now() ? processor.free_at + cost : processor.interrupted_until;
  return start;
}

Time SharedProcessor::start_of_interrupt(const Thread& on_behalf_of) const {
  return later_of(engine_.now(), processors_[interrupted_by(on_behalf_of)].interrupted_until);
}

std::size_t SharedProcessor::interrupted_by(const Thread& thread) const {
  std::size_t first = member(thread).processor;
  if (has_turn(thread) || member(thread).interrupted_until > engine_.now()) return first;
  const auto free = [&](std::size_t number) { return later_of(engine_.now(), processors_[number].free_at); };
  for (std::size_t other = 0; other < processors_.size(); ++other)
    if (free(other) < free(first)) first = other;
  return first;
}

void SharedProcessor::put_off_turn(Thread& thread, Time start, Time cost) const {
  if (!has_turn(thread) || thread.clock_ <= start) return;
  thread.put_off_from_now(start, cost);
  if (thread.is_recorded()) thread.record(step_wait_for_processor, start, start + cost, 0, 0, true);
}

// It works, or has been worked for while it waits, and that is not over.
bool SharedProcessor::has_turn(const Thread& thread) const {
  return thread.is_in_turn_ || (thread.state_ == Thread::State::waiting && thread.clock_ > engine_.now());
}

const SharedProcessor::Member& SharedProcessor::member(const Thread& thread) const {
  const bool is_found = found_last_ < members_.size() && members_[found_last_].thread == &thread;
  if (!is_found) {
    const auto is_it = [&](const Member& one) { return one.thread == &thread; };
    found_last_ = static_cast<std::size_t>(std::find_if(members_.begin(), members_.end(), is_it) - members_.begin());
  }
  return members_[found_last_];
}

SharedProcessor::Member& SharedProcessor::member(const Thread& thread) {
  return const_cast<Member&>(std::as_const(*this).member(thread));
}

}  // namespace hindcast
