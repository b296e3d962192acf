// The lock of a rank's queue in the old library, and its slots. The lock is one word: how many slots are filled, or
// that it is locked. All take it and give it back by swaps, others from afar; its owner looks at the queue only under
// it too.
//
// An owner that waits polls: it takes the lock, sees how many slots are filled, and gives it back, once a period. These
// polls are not simulated one by one. As long as none finds anything, whether the lock is free follows from their
// phase; another's swap is told so. From the first slot that is filled until the lock is free for the owner, each poll
// is an event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mpi_impl/libraries/cray/mpi/message.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/hardware/node/atomic.hpp"

namespace hindcast::mpi {

class T3eQueueLock final : public AtomicTarget, private EventSink {
 public:
  static constexpr std::uint64_t locked = ~std::uint64_t{0};  // else the word says how many slots are filled

  struct Polls {
    Time held;    // how long a poll that finds nothing has the lock
    Time period;  // from one to the next: more than that
  };

  T3eQueueLock(Rank& owner, int slots, Bytes slot, const Polls& polls);

  int slots() const { return slots_; }
  void* slot(std::uint64_t index) {
    if (memory_ == nullptr) [[unlikely]]
      memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(slots_) * slot_.count());
    return memory_.get() + index * slot_.count();
  }

  // --- by others ---

  // Their swaps, when they have come.
  std::uint64_t perform(const AtomicRequest& swap) override;
  // By a thread that has settled.
  bool has_room(int slots) const {
    return filled_ + static_cast<std::uint64_t>(slots) <= static_cast<std::uint64_t>(slots_);
  }
  // It is woken, once, when the owner has emptied the queue.
  void wake_when_emptied(Thread& thread);

  // --- by the owner ---

  // Having settled: whether it has the lock now.
  bool try_lock();
  // With the lock, at the thread's clock: all slots are empty then.
  void unlock_emptied();
  // Until the thread is woken; the first swap is performed at `first`.
  void begin_polling(Time first);
  // Right after. Whether a poll has found something: then the owner has the lock.
  bool end_polling(const Wait& why);
  // With the lock.
  std::uint64_t filled() const { return filled_; }
  T3eMessage& message_at(std::uint64_t index);

  // In a handler: the owner has gone.
  void close(LostMessages& lost);

 private:
  enum class Holder : std::uint8_t { nobody, owner, another };

  Time last_poll_by(Time time) const;
  bool is_held_by_poll(Time time) const;
  void schedule_poll_after(Time time);
  void fire(const Event& event) override;
  void poll();
  void emptied();
  void lose_all();

  Rank& owner_;
  EventOwner events_;
  const int slots_;
  const Bytes slot_;
  const Polls polls_;
  std::unique_ptr<std::byte[]> memory_;  // once it is used
  Holder holder_ = Holder::nobody;
  std::uint64_t filled_ = 0;
  Time taken_by_another_at_;  // when last
  Time given_back_at_;
  Time polls_since_ = Time::never();
  Time polls_until_ = Time::never();
  bool has_found_ = false;
  std::uint64_t waits_ = 0;  // tells polls of one wait from those of another
  std::vector<Thread*> waiting_for_room_;
  LostMessages* lost_ = nullptr;
};

}  // namespace hindcast::mpi
