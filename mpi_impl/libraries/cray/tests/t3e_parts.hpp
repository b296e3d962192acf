// What the T3E's endpoint is put together from, with numbers of the tests' own, for ranks on any network.
#pragma once

#include <deque>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cray/mpi/hardware_queue.hpp"
#include "mpi_impl/libraries/cray/mpi/locked_queue.hpp"

namespace hindcast::mpi {

struct T3eMode {
  bool is_old = false;
  int packets = 64;
  int slots = 64;
  std::uint64_t buffer_max = 0;
  std::uint64_t short_max = 56;  // in a slot no more than 16
  std::uint64_t medium_max = 1000;
  const char* medium = nullptr;  // null: the library's own
  const char* longer = "RTA";
  std::uint64_t synchronous_min = 3000;
  bool shares_memory = false;  // the PE's processor, its E-registers and the network
};

class T3eParts {
 public:
  T3eParts(Engine& engine, Network& network, int ranks, const T3eMode& mode)
      : mode_(mode),
        tree_(engine, Channel{Time(), Time::ns(30), Bandwidth()}, ranks, 2),
        system_(engine, network, tree_, remote_memory(), shmem_costs(mode),
                [](int, const std::string&) { std::abort(); }),
        shared_(engine, settings(mode)),
        queues_(engine, system_.network()),
        packet_costs_{
            {{"SEND", ""}, Time::ns(180)}, {{"packet taken", ""}, Time::ns(210)}, Bytes(64), Bytes(8), mode.packets} {}

  T3eEndpoint& add(Rank& rank, int node) {
    shmem::Pe& pe = pes_.emplace_back(system_, rank, node);
    return endpoints_.emplace_back(shared_, pe, Bytes(mode_.buffer_max),
                                   [&](T3eAbsorber& library) { return make_queue(pe, library); });
  }

  // The lock of a rank's queue in the old library.
  T3eQueueLock& lock(int rank) { return *lock_of_rank_[static_cast<std::size_t>(rank)]; }

 private:
  static RemoteMemory::Numbers remote_memory() {
    RemoteMemory::Numbers numbers;
    numbers.header = Bytes(8);
    numbers.registers = Bytes(512);
    numbers.put = numbers.get = RatedStep{{"data", ""}, Rate::per_second(500e6)};
    numbers.service = {{"memory read", ""}, Time::ns(90)};
    numbers.performed = {{"atomic operation performed", ""}, Time::ns(110)};
    return numbers;
  }
  static shmem::Costs shmem_costs(const T3eMode& mode) {
    shmem::Costs costs;
    costs.put = {{"put", ""}, Time::ns(400)};
    costs.get = {{"get", ""}, Time::ns(450)};
    costs.atomic = {{"swap", ""}, Time::ns(420)};
    costs.load.rate = Rate::taking(1500);
    costs.quiet = {{"quiet", ""}, Time::ns(60)};
    costs.barrier = {{"barrier", ""}, Time::ns(200)};
    if (mode.shares_memory)
      costs.memory =
          shmem::MemoryCosts{Rate::per_second(5e8), MemoryPort::Sharing::fair, Bytes(100), Rate::per_second(340e6)};
    return costs;
  }
  static T3eSettings settings(const T3eMode& mode) {
    T3eSettings settings;
    settings.send_call = {{"send", ""}, Time::ns(300)};
    settings.receive_call = {{"receive", ""}, Time::ns(330)};
    settings.message = {{"protocol message", ""}, Time::ns(250)};
    settings.search = {{"search", ""}, Time::ns(40)};
    settings.look = {{"poll", ""}, Time::ns(70)};
    settings.barrier_look = {{"look at the barrier", ""}, Time::ns(2)};
    settings.local = {
        {{"copy", ""}, Rate::per_second(3e8)}, {{"combine", ""}, Rate::per_second(1e8)}, {{"clock", ""}, Time::ns(10)}};
    settings.shortest = &t3e_protocol("T").protocol;
    settings.short_max = Bytes(mode.is_old ? std::min<std::uint64_t>(mode.short_max, 16) : mode.short_max);
    settings.medium_max = Bytes(mode.medium_max);
    const char* medium = mode.is_old ? "Tn" : "RTA";
    settings.medium = &t3e_protocol(mode.medium != nullptr ? mode.medium : medium).protocol;
    settings.longer = &t3e_protocol(mode.longer).protocol;
    settings.synchronous_min = Bytes(mode.synchronous_min);
    settings.synchronous = &t3e_protocol("RAT").protocol;
    settings.slot_data = Bytes(24);
    settings.barrier_call = FixedStep{{"call of a barrier", ""}, Time::ns(300)};
    return settings;
  }
  static const T3eLockedQueue::Costs& slot_costs(int slots) {
    static T3eLockedQueue::Costs costs{{{"made ready for slots", ""}, Time::ns(500)},
                                       {{"pause after a lock was taken", ""}, Time::ns(900)},
                                       {{"look at the queue", ""}, Time::ns(80)},
                                       {{"message read", ""}, Time::ns(190)},
                                       {{"swap on the own lock", ""}, Time::ns(350)},
                                       {{"copy out of the slots", ""}, Rate::per_second(3e8)},
                                       Bytes(32),
                                       0};
    costs.slots = slots;
    return costs;
  }

  T3eProtocolQueue* make_queue(shmem::Pe& pe, T3eAbsorber& library) {
    if (!mode_.is_old)
      return &hardware_queues_.emplace_back(queues_, pe, packet_costs_, packet_queue_of_rank_, library, Time::ns(60));
    const T3eLockedQueue::Costs& costs = slot_costs(mode_.slots);
    auto& own = locks_.emplace_back(pe.rank(), costs.slots, costs.slot, T3eLockedQueue::polls_of(costs));
    lock_of_rank_.push_back(&own);
    return &locked_queues_.emplace_back(pe, own, lock_of_rank_, library, costs);
  }

  const T3eMode mode_;
  BarrierTree tree_;
  shmem::System system_;
  T3eShared shared_;
  MessageQueues queues_;
  t3e::QueueCosts packet_costs_;
  std::deque<shmem::Pe> pes_;
  std::deque<T3eHardwareQueue> hardware_queues_;
  std::vector<t3e::PacketQueue::Address> packet_queue_of_rank_;
  std::deque<T3eLockedQueue> locked_queues_;
  std::deque<T3eQueueLock> locks_;
  std::vector<T3eQueueLock*> lock_of_rank_;
  std::deque<T3eEndpoint> endpoints_;
};

}  // namespace hindcast::mpi
