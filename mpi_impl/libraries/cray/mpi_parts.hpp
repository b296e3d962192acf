// MPI for the library of the T3E and T3D: the tables [mpi], [message_queue] and [locked_queue] of the machine's file.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cray/mpi/hardware_queue.hpp"
#include "mpi_impl/libraries/cray/mpi/locked_queue.hpp"
#include "mpi_impl/libraries/cray/native/packet_queue.hpp"

namespace hindcast {

class T3eMpi {
 public:
  // `network`: as the PEs have it.
  T3eMpi(const LibraryStart& start, Network& network);
  mpi::World& world() { return world_; }
  T3eMpi(const T3eMpi&) = delete;
  T3eMpi& operator=(const T3eMpi&) = delete;

  // In the order of ranks.
  void add(shmem::Pe& pe, int application);
  // In a handler: of a rank that has gone. False: something of its is still under way.
  bool forget(const Rank& rank);

 private:
  struct MpiRank {
    MpiRank(T3eMpi& in, shmem::Pe& pe, int application);
    mpi::T3eEndpoint endpoint;
    mpi::Process process;
  };

  mpi::T3eProtocolQueue* make_queue(shmem::Pe& pe, mpi::T3eAbsorber& library);

  const bool has_hardware_queue_;
  const t3e::QueueCosts packet_costs_;
  const mpi::T3eLockedQueue::Costs slot_costs_;
  const Time poll_;
  const Bytes buffer_max_;
  mpi::T3eShared shared_;
  mpi::World world_;
  // One or the other, for each rank. They stay when it has gone, for what is under way to it.
  MessageQueues message_queues_;
  std::deque<mpi::T3eHardwareQueue> hardware_queues_;
  std::vector<t3e::PacketQueue::Address> packet_queues_by_rank_;
  std::deque<mpi::T3eLockedQueue> locked_queues_;
  std::deque<mpi::T3eQueueLock> locks_;
  std::vector<mpi::T3eQueueLock*> locks_by_rank_;
  RankParts<MpiRank> ranks_;
};

}  // namespace hindcast
