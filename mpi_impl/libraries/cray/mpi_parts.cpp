#include "mpi_impl/libraries/cray/mpi_parts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/cray/mpi_choices.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

int slots_of(const MachineFile& file, const KeysOfChoice& keys, const char* key) {
  constexpr std::int64_t most = 1 << 20;
  const std::int64_t slots = keys.count(key, 2);
  if (slots > most) file.refuse(key, fmt::format("must be no more than {}", most));
  return static_cast<int>(slots);
}

t3e::QueueCosts packet_costs_of(const MachineFile& file) {
  const KeysOfChoice keys(file, t3e::has_hardware_queue(file));
  t3e::QueueCosts costs;
  costs.send = step_of(keys, "SEND to a message queue", "message_queue.send_overhead");
  costs.receive = step_of(keys, "packet taken out of the message queue", "message_queue.receive_overhead");
  costs.packet = keys.bytes("message_queue.packet_bytes");
  costs.header = file.bytes("remote_memory.header_bytes");
  costs.slots = slots_of(file, keys, "message_queue.slots");
  return costs;
}

// A swap costs the same whoever makes it: the owner's goes through the E-registers, too, but over no link.
FixedStep swap_on_own_lock(const MachineFile& file) {
  constexpr const char* call = "shmem.atomic_overhead";
  const Time cost = file.time(call) + file.time("remote_memory.atomic_service");
  if (cost == Time()) file.refuse(call, "must be more than 0, or remote_memory.atomic_service: swaps are polled");
  return {{"swap on the own lock", call}, cost};
}

mpi::T3eLockedQueue::Costs slot_costs_of(const Machine& machine) {
  const MachineFile& file = machine.parameters();
  const KeysOfChoice keys(file, !t3e::has_hardware_queue(file));
  mpi::T3eLockedQueue::Costs costs;
  costs.put = step_of(keys, "message made ready for slots", "locked_queue.put_overhead");
  costs.longest_pause = step_of(keys, "pause after a lock was taken", "locked_queue.retry_pause");
  costs.look = step_of(keys, "look at the queue, with its lock", "locked_queue.look");
  costs.receive = step_of(keys, "message read from its slots", "locked_queue.receive_overhead");
  costs.local_swap = swap_on_own_lock(file);
  costs.copy = {{"copy out of the slots", "processor.copy_bandwidth"}, machine.processor().copy_bandwidth};
  costs.slot = keys.bytes("locked_queue.slot_bytes");
  costs.slots = slots_of(file, keys, "locked_queue.slots");
  if (keys.are_complete() && costs.slot.count() < sizeof(void*))
    file.refuse("locked_queue.slot_bytes", "must be at least a word of 8 bytes");
  return costs;
}

// Of data in several slots, if a protocol has that.
Bytes slot_data_of(const MachineFile& file, const mpi::T3eProtocolRow& medium, Bytes medium_max) {
  const bool is_in_slots = medium.reach == mpi::T3eReach::slots;
  const KeysOfChoice keys(file, is_in_slots);
  const Bytes slot_data = keys.bytes("locked_queue.slot_data");
  if (keys.are_complete() && slot_data == Bytes()) file.refuse("locked_queue.slot_data", "must be more than 0");
  const std::uint64_t slots = slots_of(file, keys, "locked_queue.slots");
  if (is_in_slots && medium_max.count() > slots * slot_data.count())
    file.refuse("mpi.medium_max", fmt::format("a queue of {} slots (locked_queue.slots) has room for {} bytes", slots,
                                              slots * slot_data.count()));
  return slot_data;
}

mpi::T3eSettings settings_of(const Machine& machine) {
  const MachineFile& file = machine.parameters();
  const t3e::ChosenProtocols protocols = t3e::chosen_protocols(file);
  const bool has_barrier = t3e::has_barrier(file);
  mpi::T3eSettings settings;
  settings.send_call = step_of(file, "call that sends", "mpi.send_overhead");
  settings.receive_call = step_of(file, "call that receives", "mpi.receive_overhead");
  settings.message = step_of(file, "protocol message", "mpi.message_overhead");
  settings.handling = step_of(file, "protocol message handled", "mpi.handling_overhead");
  settings.search = step_of(file, "element of a list passed in a search", "mpi.search_overhead");
  settings.look = {{"poll", "processor.poll"}, machine.processor().poll};
  settings.barrier_look = step_of(KeysOfChoice(file, has_barrier), "look at the barrier", "barrier.poll");
  settings.local = mpi::LocalCosts::of(machine.processor());
  settings.short_max = t3e::short_max_of(file);
  settings.medium_max = file.bytes("mpi.medium_max");
  settings.synchronous_min = file.bytes("mpi.synchronous_min");
  settings.shortest = &protocols.shortest.protocol;
  settings.medium = &protocols.medium.protocol;
  settings.longer = &protocols.longer.protocol;
  settings.synchronous = &protocols.synchronous.protocol;
  settings.slot_data = slot_data_of(file, protocols.medium, settings.medium_max);
  if (has_barrier) settings.barrier_call = step_of(file, "call of a barrier", "mpi.send_overhead");
  return settings;
}

// The file's, unless the environment says otherwise, as it did for Cray's users.
Bytes buffer_max_of(const MachineFile& file) {
  const Bytes of_file = file.bytes("mpi.buffer_max");
  const char* text = std::getenv("MPP_BUFFER_MAX");
  if (text == nullptr) return of_file;
  std::uint64_t bytes = 0;
  const char* end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, bytes);
  if (error != std::errc() || stopped != end || stopped == text)
    throw MachineFileError(
        fmt::format("environment variable MPP_BUFFER_MAX: '{}' is no number of bytes such as 0 or 65536", text));
  return Bytes(bytes);
}

}  // namespace

T3eMpi::T3eMpi(const LibraryStart& start, Network& network)
    : has_hardware_queue_(t3e::has_hardware_queue(start.machine.parameters())),
      packet_costs_(packet_costs_of(start.machine.parameters())),
      slot_costs_(slot_costs_of(start.machine)),
      poll_(start.machine.processor().poll),
      buffer_max_(buffer_max_of(start.machine.parameters())),
      shared_(start.engine, settings_of(start.machine)),
      world_(start.engine, start.ranks, start.choices, start.end_run),
      message_queues_(start.engine, network) {}

T3eMpi::MpiRank::MpiRank(T3eMpi& in, shmem::Pe& pe, int application)
    : endpoint(in.shared_, pe, in.buffer_max_, [&](mpi::T3eAbsorber& library) { return in.make_queue(pe, library); }),
      process(in.world_, pe.rank(), endpoint, application) {}

void T3eMpi::add(shmem::Pe& pe, int application) { ranks_.add(pe.number(), *this, pe, application); }

bool T3eMpi::forget(const Rank& rank) {
  if (!ranks_.is_at_rest(rank.id)) return false;
  ranks_.of(rank.id).endpoint.close();
  ranks_.remove(rank.id);
  return true;
}

mpi::T3eProtocolQueue* T3eMpi::make_queue(shmem::Pe& pe, mpi::T3eAbsorber& library) {
  if (has_hardware_queue_)
    return &hardware_queues_.emplace_back(message_queues_, pe, packet_costs_, packet_queues_by_rank_, library, poll_);
  mpi::T3eQueueLock& own =
      locks_.emplace_back(pe.rank(), slot_costs_.slots, slot_costs_.slot, mpi::T3eLockedQueue::polls_of(slot_costs_));
  locks_by_rank_.push_back(&own);
  return &locked_queues_.emplace_back(pe, own, locks_by_rank_, library, slot_costs_);
}

}  // namespace hindcast
