#include "mpi_impl/libraries/cray/mpi/queue_lock.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace hindcast::mpi {

namespace {

// What our events carry: this, or the number of the wait whose poll it is.
constexpr std::uint64_t end_of_lock = 0;

}  // namespace

T3eQueueLock::T3eQueueLock(Rank& owner, int slots, Bytes slot, const Polls& polls)
    : owner_(owner), events_(owner.engine.new_owner()), slots_(slots), slot_(slot), polls_(polls) {}

// --- by others ---

void T3eQueueLock::wake_when_emptied(Thread& thread) {
  if (std::find(waiting_for_room_.begin(), waiting_for_room_.end(), &thread) == waiting_for_room_.end())
    waiting_for_room_.push_back(&thread);
}

std::uint64_t T3eQueueLock::perform(const AtomicRequest& swap) {
  const Time now = owner_.engine.now();
  if (swap.operand == locked) {
    if (holder_ != Holder::nobody || is_held_by_poll(now)) return locked;
    holder_ = Holder::another;
    taken_by_another_at_ = now;
    return filled_;
  }
  assert(holder_ == Holder::another);
  holder_ = Holder::nobody;
  given_back_at_ = now;
  filled_ = swap.operand;
  if (lost_ != nullptr) [[unlikely]]
    lose_all();
  if (filled_ > 0 && polls_since_ < Time::never() && polls_until_ == Time::never()) schedule_poll_after(now);
  return locked;
}

// There has been one.
Time T3eQueueLock::last_poll_by(Time time) const {
  return polls_since_ + polls_.period * ((time - polls_since_).in_ps() / polls_.period.in_ps());
}

// Of a poll that finds nothing; one that failed, because another had the lock, does not hold it. Polls come before what
// else happens at their instants.
bool T3eQueueLock::is_held_by_poll(Time time) const {
  if (time < polls_since_ || time >= polls_until_) return false;
  const Time last = last_poll_by(time);
  const bool has_failed = taken_by_another_at_ < last && (holder_ == Holder::another || last <= given_back_at_);
  return time < last + polls_.held && !has_failed;
}

void T3eQueueLock::schedule_poll_after(Time time) {
  const Time next = time < polls_since_ ? polls_since_ : last_poll_by(time) + polls_.period;
  owner_.engine.at(next, EventKind::wake, events_, *this, waits_);
}

void T3eQueueLock::fire(const Event& event) {
  if (event.data == end_of_lock) return emptied();
  if (event.data == waits_ && polls_until_ == Time::never()) poll();
}

void T3eQueueLock::poll() {
  const Time now = owner_.engine.now();
  if (holder_ == Holder::another) return schedule_poll_after(now);
  if (filled_ == 0) return;
  holder_ = Holder::owner;
  has_found_ = true;
  polls_until_ = now;
  owner_.attendant().wake();
}

// --- by the owner ---

bool T3eQueueLock::try_lock() {
  if (holder_ != Holder::nobody) return false;
  holder_ = Holder::owner;
  return true;
}

void T3eQueueLock::unlock_emptied() { Thread::current()->act(*this, end_of_lock); }

void T3eQueueLock::emptied() {
  holder_ = Holder::nobody;
  filled_ = 0;
  for (Thread* thread : std::exchange(waiting_for_room_, {})) thread->wake();
}

void T3eQueueLock::begin_polling(Time first) {
  ++waits_;
  has_found_ = false;
  polls_since_ = first;
  polls_until_ = Time::never();
  if (filled_ > 0) owner_.engine.at(polls_since_, EventKind::wake, events_, *this, waits_);
}

// A poll that has the lock comes to its end.
bool T3eQueueLock::end_polling(const Wait& why) {
  if (has_found_) return true;
  Thread& thread = *Thread::current();
  const Time now = thread.clock();
  const bool is_in_poll = is_held_by_poll(now);
  const Time end = is_in_poll ? last_poll_by(now) + polls_.held : now;
  polls_until_ = end;
  thread.pass_until(end, why);
  return false;
}

T3eMessage& T3eQueueLock::message_at(std::uint64_t index) {
  T3eMessage* message = nullptr;
  std::memcpy(&message, slot(index), sizeof message);
  return *message;
}

// Who has the lock now gives it back, and what he has written is lost then.
void T3eQueueLock::close(LostMessages& lost) {
  lost_ = &lost;
  if (holder_ != Holder::another) lose_all();
}

void T3eQueueLock::lose_all() {
  for (std::uint64_t first = 0; first < filled_;) {
    T3eMessage& message = message_at(first);
    first += static_cast<std::uint64_t>(message.slots);
    lost_->lost(message);
  }
  memory_.reset();
  emptied();
}

}  // namespace hindcast::mpi
