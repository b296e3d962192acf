#include "mpi_impl/libraries/cray/mpi/locked_queue.hpp"

#include <fmt/format.h>

namespace hindcast::mpi {

namespace {

// How the deadlock report names what waits.
constexpr const char* locking = "lock of a queue";
constexpr const char* writing = "put into a queue";

class RoomWait final : public Wait {
 public:
  explicit RoomWait(int rank) : rank_(rank) {}
  BlockedOn describe() const override {
    return {writing, fmt::format("for room in the protocol queue of rank {}", rank_), {rank_}};
  }
  const StepKind& step() const override { return step_wait_for_room; }

 private:
  int rank_;
};

}  // namespace

void T3eLockedQueue::put(T3eMessage& message, int to_rank) {
  T3eQueueLock& lock = *locks_[static_cast<std::size_t>(to_rank)];
  Thread::current()->spend(costs_.put, message.message);
  for (;;) {
    pe_.work_for(message.message);
    const std::uint64_t filled = this->lock(lock, to_rank);
    const bool has_room =
        filled + static_cast<std::uint64_t>(message.slots) <= static_cast<std::uint64_t>(lock.slots());
    if (has_room) write(lock, to_rank, filled, message);
    unlock(lock, to_rank, has_room ? filled + static_cast<std::uint64_t>(message.slots) : filled);
    pe_.work_for(0);
    if (has_room) return;
    wait_for_room(lock, to_rank, message.slots);
  }
}

// Between two tries it pauses, for a random time: else it could keep step with the polls of the queue's owner, and
// always come when these have the lock.
std::uint64_t T3eLockedQueue::lock(T3eQueueLock& lock, int rank) {
  for (;;) {
    const std::uint64_t word = pe_.atomic(locking, rank, lock, {AtomicOperation::swap, T3eQueueLock::locked});
    if (word != T3eQueueLock::locked) return word;
    Thread::current()->spend(costs_.longest_pause.kind, random_time_below(costs_.longest_pause.cost + Time::ps(1)));
  }
}

// Each rank's are a sequence of its own, the same in every run.
Time T3eLockedQueue::random_time_below(Time end) {
  const std::uint64_t random_bits = random_() >> 24;
  return Time::ps(static_cast<std::int64_t>(random_bits) % end.in_ps());
}

void T3eLockedQueue::unlock(T3eQueueLock& lock, int rank, std::uint64_t filled) {
  pe_.atomic(locking, rank, lock, {AtomicOperation::swap, filled});
}

// What is in the slots matters to nobody but for which message it is: its data is with that.
void T3eLockedQueue::write(T3eQueueLock& lock, int rank, std::uint64_t first, T3eMessage& message) {
  const Bytes bytes(static_cast<std::uint64_t>(message.slots) * costs_.slot.count());
  const T3eMessage* address = &message;
  pe_.put_with_filler(writing, rank, lock.slot(first), &address, Bytes(sizeof address), bytes);
  pe_.quiet(writing);
}

// Whose queue is full may be waiting for room in ours.
void T3eLockedQueue::wait_for_room(T3eQueueLock& lock, int rank, int slots) {
  Thread& thread = *Thread::current();
  for (;;) {
    library_.absorb();
    thread.settle();
    if (lock.has_room(slots)) return;
    if (!fetched_.empty()) continue;
    lock.wake_when_emptied(thread);
    wait(RoomWait(rank));
  }
}

std::size_t T3eLockedQueue::absorb() {
  Thread& thread = *Thread::current();
  thread.spend(costs_.local_swap);
  thread.settle();
  if (own_.try_lock()) fetch();
  return fetched_.size();
}

// All that is there, with the lock, which is given back.
void T3eLockedQueue::fetch() {
  Thread& thread = *Thread::current();
  thread.spend(costs_.look);
  for (std::uint64_t first = 0; first < own_.filled();) {
    T3eMessage& message = own_.message_at(first);
    thread.spend(costs_.receive, message.message);
    if (message.lies_in_slots()) pe_.copy(costs_.copy, message.bytes, message.message);
    fetched_.push_back(&message);
    first += static_cast<std::uint64_t>(message.slots);
  }
  thread.spend(costs_.local_swap);
  own_.unlock_emptied();
}

T3eMessage* T3eLockedQueue::take() {
  if (fetched_.empty()) return nullptr;
  T3eMessage* message = fetched_.front();
  fetched_.pop_front();
  return message;
}

// Its first poll comes at a random point of a period: what the library does between two polls varied in length. Else,
// in a program that does the same again and again, others would come at the same point between polls each time.
void T3eLockedQueue::wait(const Wait& why) {
  Thread& thread = *Thread::current();
  own_.begin_polling(thread.clock() + costs_.local_swap.cost + random_time_below(polls_of(costs_).period));
  thread.wait(why);
  if (own_.end_polling(why)) fetch();
}

void T3eLockedQueue::close(LostMessages& lost) {
  for (; !fetched_.empty(); fetched_.pop_front()) lost.lost(*fetched_.front());
  own_.close(lost);
}

}  // namespace hindcast::mpi
