// The new library's protocol queue: packets of the hardware's message queues, without locks.
#pragma once

#include "mpi_impl/libraries/cray/mpi/protocol_queue.hpp"
#include "mpi_impl/libraries/cray/native/packet_queue.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"

namespace hindcast::mpi {

class alignas(cache_line) T3eHardwareQueue final : public T3eProtocolQueue, private QueueTaker, private Fetchable {
 public:
  // The queues of all ranks stand in `queues`, where this constructor puts its own. `poll` is the time from one look at
  // a queue to the next.
  T3eHardwareQueue(MessageQueues& hardware, shmem::Pe& pe, const t3e::QueueCosts& costs,
                   std::vector<t3e::PacketQueue::Address>& queues, T3eAbsorber& library, Time poll);

  Errand put(T3eMessage& message, int to_rank) override;
  bool puts_at_once() const override { return own_.is_inserted(); }
  const Wait* await_earlier_put() override { return own_.await_status(); }
  Errand finish_puts() override;
  Errand absorb(std::size_t& come) override;
  bool has_to_settle() const override { return own_.has_to_settle_for_status(); }
  bool has_to_put_again() const override { return own_.was_rejected(); }
  Errand put_again() override;
  T3eMessage* take() override;
  const Fetchable* looked_at_in_take() const override { return this; }
  void begin_wait() override { waits_since_ = Thread::current()->clock(); }
  Errand end_wait(const Wait& why) override;
  void close(LostMessages& lost) override { own_.close(lost); }

 private:
  void fetch(FetchLevel level) const override;
  void fetch_for(const QueueMessage& message, FetchLevel level) const override {
    library_.fetch_for(static_cast<const T3eMessage&>(message), level);
  }
  Errand put_after_earlier(Errand status, T3eMessage& message, int to_rank);

  // What comes before `own_` is in one line of the cache, and what a thread looks at of `own_` is in the next ones.
  const std::vector<t3e::PacketQueue::Address>& queues_;
  T3eAbsorber& library_;
  const Time poll_;
  Time waits_since_;
  t3e::PacketQueue own_;
};

}  // namespace hindcast::mpi
