// The old library's protocol queue: slots in each rank's memory, into which others put their messages under a lock. To
// put one takes a swap that locks, the put and the wait for its end, and a swap that unlocks. Who finds it locked tries
// again; who finds it full unlocks it, absorbs his own queue, and tries again.
//
// That a full queue is tried again before its owner has emptied it is not simulated: it would be found full.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "mpi_impl/libraries/cray/mpi/protocol_queue.hpp"
#include "mpi_impl/libraries/cray/mpi/queue_lock.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "simulator/engine/fifo.hpp"

namespace hindcast::mpi {

class T3eLockedQueue final : public T3eProtocolQueue {
 public:
  struct Costs {
    FixedStep put;            // what this way to put a message takes more of the library's work
    FixedStep longest_pause;  // before another try to take a lock that was taken
    FixedStep look;           // under the lock: how many slots are filled
    FixedStep receive;        // under the lock: reads a message
    FixedStep local_swap;     // on the own lock
    RatedStep copy;           // data that lies in slots, under the lock
    Bytes slot;
    int slots = 0;
  };
  static T3eQueueLock::Polls polls_of(const Costs& costs) {
    const Time held = costs.look.cost + costs.local_swap.cost;
    return {held, held + costs.local_swap.cost};
  }

  // `locks`: of all ranks.
  T3eLockedQueue(shmem::Pe& pe, T3eQueueLock& own, const std::vector<T3eQueueLock*>& locks, T3eAbsorber& library,
                 const Costs& costs)
      : pe_(pe),
        own_(own),
        locks_(locks),
        library_(library),
        costs_(costs),
        random_(static_cast<std::uint64_t>(pe.rank().id) + 1) {
    pe.rank().main_thread().goes_with(this);
  }

  Errand put(T3eMessage& message, int to_rank) override;
  bool puts_at_once() const override { return false; }
  const Wait* await_earlier_put() override { return nullptr; }
  Errand finish_puts() override { return {}; }
  Errand absorb(std::size_t& come) override;
  bool has_to_settle() const override { return false; }
  bool has_to_put_again() const override { return false; }
  Errand put_again() override { return {}; }
  T3eMessage* take() override;
  void begin_wait() override;
  Errand end_wait(const Wait& why) override;
  void close(LostMessages& lost) override;

 private:
  using Random =
      std::linear_congruential_engine<std::uint64_t, 6364136223846793005U, 1442695040888963407U, 0>;  // 8 bytes

  class Delivery;
  class RoomWait;

  T3eQueueLock& lock_of(int rank) { return *locks_[static_cast<std::size_t>(rank)]; }
  bool put_on_stack(T3eMessage& message, int to_rank);
  Errand put_off_stack(T3eMessage& message, int to_rank);
  Errand room(const T3eMessage& message, int to_rank);
  Errand fetch();
  Time random_time_below(Time end);

  shmem::Pe& pe_;
  T3eQueueLock& own_;
  const std::vector<T3eQueueLock*>& locks_;
  T3eAbsorber& library_;
  const Costs& costs_;
  Fifo<T3eMessage*> fetched_;
  Random random_;
};

}  // namespace hindcast::mpi
