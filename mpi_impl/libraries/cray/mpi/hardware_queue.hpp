// The new library's protocol queue: packets of the hardware's message queues, without locks.
#pragma once

#include "mpi_impl/libraries/cray/mpi/protocol_queue.hpp"
#include "mpi_impl/libraries/cray/native/packet_queue.hpp"

namespace hindcast::mpi {

class T3eHardwareQueue final : public T3eProtocolQueue {
 public:
  // `queues`: of all ranks.
  T3eHardwareQueue(t3e::PacketQueue& own, const std::vector<t3e::PacketQueue*>& queues, T3eAbsorber& library, Time poll)
      : own_(own), queues_(queues), library_(library), poll_(poll) {}

  void put(T3eMessage& message, int to_rank) override;
  void finish_puts() override;
  std::size_t absorb() override;
  T3eMessage* take() override;
  void wait(const Wait& why) override;
  void close(LostMessages& lost) override { own_.close(lost); }

 private:
  t3e::PacketQueue& own_;
  const std::vector<t3e::PacketQueue*>& queues_;
  T3eAbsorber& library_;
  const Time poll_;  // from one look at the queue to the next
};

}  // namespace hindcast::mpi
