#include "mpi_impl/libraries/cray/mpi/locked_queue.hpp"

#include <fmt/format.h>

#include <optional>

#include "mpi_impl/libraries/cray/native/pe_waits.hpp"

namespace hindcast::mpi {

namespace {

// How the deadlock report names what waits.
constexpr const char* locking = "lock of a queue";
constexpr const char* writing = "put into a queue";

}  // namespace

class T3eLockedQueue::RoomWait final : public Wait {
 public:
  explicit RoomWait(int rank) : rank_(rank) {}
  BlockedOn describe() const override {
    return {writing, fmt::format("for room in the protocol queue of rank {}", rank_), {rank_}};
  }
  const StepKind& step() const override { return step_wait_for_room; }

 private:
  int rank_;
};

// One try: locks the queue, puts the message into it if there is room, and unlocks it. Each of these waits for the
// other node, and the thread goes from one to the next off its stack if it may. It is no errand, whose frames would be
// taken and given back for every message.
class T3eLockedQueue::Delivery final : public Continuation, public Wait {
 public:
  Delivery(T3eLockedQueue& queue, T3eMessage& message, int to_rank)
      : queue_(queue), lock_(queue.lock_of(to_rank)), rank_(to_rank), message_(message) {
    queue_.pe_.work_for(message.message);
    swap(T3eQueueLock::locked);
  }
  ~Delivery() { queue_.pe_.work_for(0); }

  // To its end, on the thread's stack.
  void run() {
    Thread& thread = *Thread::current();
    while (go_on().what == Onward::What::wait) {
      if (thread.may_go_on_off_stack()) thread.go_on_with(this);
      thread.wait(*this);
      thread.go_on_with(nullptr);
    }
  }
  Onward go_on() override {
    while (stage_ != Stage::is_over) {
      if (!is_stage_over()) return Onward::waits(*this);
      begin_next_stage();
    }
    return Onward::runs();
  }
  bool had_room() const { return has_room_; }
  BlockedOn describe() const override { return puts_ ? puts_->describe() : answer_->describe(); }

 private:
  enum class Stage : std::uint8_t { locks, writes, quiets, unlocks, is_over };

  bool is_stage_over() { return puts_ ? puts_->is_over() : answer_->is_there(); }
  void begin_next_stage() {
    switch (stage_) {
      case Stage::locks:
        return has_swapped(answer_->value());
      case Stage::writes:
        return wait_until_written();
      case Stage::quiets:
        return unlock(filled_ + slots());
      case Stage::unlocks:
      case Stage::is_over:
        stage_ = Stage::is_over;
    }
  }

  void swap(std::uint64_t word) {
    puts_.reset();
    answer_.emplace(locking, rank_, queue_.pe_.next_message());
    queue_.pe_.begin_atomic(*answer_, lock_, {AtomicOperation::swap, word});
  }
  // Between two tries it pauses, for a random time: else it could keep step with the polls of the queue's owner, and
  // always come when these have the lock.
  void has_swapped(std::uint64_t word) {
    if (word == T3eQueueLock::locked) {
      const FixedStep& pause = queue_.costs_.longest_pause;
      Thread::current()->spend(pause.kind, queue_.random_time_below(pause.cost + Time::ps(1)));
      return swap(T3eQueueLock::locked);
    }
    filled_ = word;
    has_room_ = filled_ + slots() <= static_cast<std::uint64_t>(lock_.slots());
    has_room_ ? write() : unlock(filled_);
  }
  // What is in the slots matters to nobody but for which message it is: its data is with that.
  void write() {
    const T3eMessage* address = &message_;
    queue_.pe_.begin_put_with_filler(rank_, lock_.slot(filled_), &address, Bytes(sizeof address),
                                     Bytes(slots() * queue_.costs_.slot.count()));
    puts_.emplace(queue_.pe_, shmem::PutsWait::Kind::fit_in_registers, writing);
    stage_ = Stage::writes;
  }
  void wait_until_written() {
    Thread::current()->spend(queue_.pe_.costs().quiet);
    puts_.emplace(queue_.pe_, shmem::PutsWait::Kind::are_written, writing);
    stage_ = Stage::quiets;
  }
  void unlock(std::uint64_t filled) {
    swap(filled);
    stage_ = Stage::unlocks;
  }
  std::uint64_t slots() const { return static_cast<std::uint64_t>(message_.slots); }

  T3eLockedQueue& queue_;
  T3eQueueLock& lock_;
  const int rank_;
  T3eMessage& message_;
  Stage stage_ = Stage::locks;
  bool has_room_ = false;
  std::uint64_t filled_ = 0;
  std::optional<shmem::PeAnswer> answer_;
  std::optional<shmem::PutsWait> puts_;  // while the message is written
};

Errand T3eLockedQueue::put(T3eMessage& message, int to_rank) {
  Thread& thread = *Thread::current();
  thread.spend(costs_.put, message.message);
  if (thread.is_on_errand()) return put_off_stack(message, to_rank);
  while (!put_on_stack(message, to_rank)) carry_out(room(message, to_rank));
  return {};
}

bool T3eLockedQueue::put_on_stack(T3eMessage& message, int to_rank) {
  Delivery delivery(*this, message, to_rank);
  delivery.run();
  return delivery.had_room();
}

Errand T3eLockedQueue::put_off_stack(T3eMessage& message, int to_rank) {
  for (;;) {
    bool had_room = false;
    {
      Delivery delivery(*this, message, to_rank);
      while (delivery.go_on().what == Onward::What::wait) co_await woken(delivery);
      had_room = delivery.had_room();
    }
    if (had_room) co_return;
    co_await room(message, to_rank);
  }
}

// Each rank's are a sequence of its own, the same in every run.
Time T3eLockedQueue::random_time_below(Time end) {
  const std::uint64_t random_bits = random_() >> 24;
  return Time::ps(static_cast<std::int64_t>(random_bits) % end.in_ps());
}

// Whose queue is full may be waiting for room in ours.
Errand T3eLockedQueue::room(const T3eMessage& message, int to_rank) {
  const RoomWait why(to_rank);
  T3eQueueLock& lock = lock_of(to_rank);
  for (;;) {
    co_await library_.absorb();
    co_await settled();
    if (lock.has_room(message.slots)) co_return;
    if (!fetched_.empty()) continue;
    lock.wake_when_emptied(*Thread::current());
    begin_wait();
    co_await woken(why);
    co_await end_wait(why);
  }
}

Errand T3eLockedQueue::absorb(std::size_t& come) {
  Thread::current()->spend(costs_.local_swap);
  co_await settled();
  if (own_.try_lock()) co_await fetch();
  come = fetched_.size();
}

// All that is there, with the lock, which is given back.
Errand T3eLockedQueue::fetch() {
  Thread& thread = *Thread::current();
  thread.spend(costs_.look);
  for (std::uint64_t first = 0; first < own_.filled();) {
    T3eMessage& message = own_.message_at(first);
    thread.spend(costs_.receive, message.message);
    if (message.lies_in_slots) co_await pe_.copies(costs_.copy, message.bytes, message.message);
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
void T3eLockedQueue::begin_wait() {
  const Time first = Thread::current()->clock() + costs_.local_swap.cost + random_time_below(polls_of(costs_).period);
  own_.begin_polling(first);
}

Errand T3eLockedQueue::end_wait(const Wait& why) {
  if (!own_.end_polling(why)) return {};
  return fetch();
}

void T3eLockedQueue::close(LostMessages& lost) {
  for (; !fetched_.empty(); fetched_.pop_front()) lost.lost(*fetched_.front());
  own_.close(lost);
}

}  // namespace hindcast::mpi
