#include "mpi_impl/libraries/cray/mpi_parts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace hindcast {

namespace {

const std::string as_library = "as the library";

// What a key says, or what goes with the library that mpi.library names.
std::string choice_with_library(const MachineFile& file, const char* key, std::vector<std::string> allowed,
                                const char* of_new, const char* of_old) {
  allowed.push_back(as_library);
  const bool is_new = file.choice("mpi.library", {"new", "old"}) == "new";
  const std::string chosen = file.choice(key, allowed);
  return chosen != as_library ? chosen : is_new ? of_new : of_old;
}

bool has_hardware_queue(const MachineFile& file) {
  const bool is_wanted =
      choice_with_library(file, "mpi.queue", {"hardware", "locked"}, "hardware", "locked") == "hardware";
  if (is_wanted && !file.has("message_queue.slots"))
    file.refuse("mpi.queue",
                "this machine has no message queues in hardware; take mpi.library=old, or mpi.queue=locked");
  return is_wanted;
}

bool has_barrier(const MachineFile& file) {
  const bool can_be_polled = file.choice("barrier.polled", {"yes", "no"}) == "yes";
  const bool is_wanted =
      choice_with_library(file, "mpi.barrier", {"hardware", "messages"}, "hardware", "messages") == "hardware";
  if (is_wanted && !can_be_polled)
    file.refuse(
        "mpi.barrier",
        "a barrier that cannot be polled (barrier.polled) would keep messages from progressing; take 'messages'");
  return is_wanted;
}

const mpi::T3eProtocol& protocol_of(const MachineFile& file, const char* key, const std::string& name) {
  if (name == "RTA") return mpi::t3e_protocols::rta;
  if (name == "RAT") return mpi::t3e_protocols::rat;
  if (has_hardware_queue(file))
    file.refuse(key,
                "Tn puts data into slots that lie one behind the other, and a message queue in hardware takes single "
                "packets; take mpi.queue=locked, or RTA or RAT");
  return mpi::t3e_protocols::tn;
}

FixedStep step_of(const MachineFile& file, const char* name, const char* key) { return {{name, key}, file.time(key)}; }

int slots_of(const MachineFile& file, const char* key) {
  constexpr std::int64_t most = 1 << 20;
  const std::int64_t slots = file.count(key, 2);
  if (slots > most) file.refuse(key, fmt::format("must be no more than {}", most));
  return static_cast<int>(slots);
}

t3e::QueueCosts packet_costs_of(const MachineFile& file) {
  t3e::QueueCosts costs;
  if (!file.has("message_queue.slots")) return costs;
  costs.send = step_of(file, "SEND to a message queue", "message_queue.send_overhead");
  costs.receive = step_of(file, "packet taken out of the message queue", "message_queue.receive_overhead");
  costs.packet = file.bytes("message_queue.packet_bytes");
  costs.header = file.bytes("remote_memory.header_bytes");
  costs.slots = slots_of(file, "message_queue.slots");
  return costs;
}

mpi::T3eLockedQueue::Costs slot_costs_of(const Machine& machine) {
  const MachineFile& file = machine.parameters();
  mpi::T3eLockedQueue::Costs costs;
  costs.put = step_of(file, "message made ready for slots", "locked_queue.put_overhead");
  costs.longest_pause = step_of(file, "pause after a lock was taken", "locked_queue.retry_pause");
  costs.look = step_of(file, "look at the queue, with its lock", "locked_queue.look");
  costs.receive = step_of(file, "message read from its slots", "locked_queue.receive_overhead");
  costs.local_swap = {{"swap on the own lock", "locked_queue.local_swap"},
                      file.time_above_zero("locked_queue.local_swap")};
  costs.copy = {{"copy out of the slots", "processor.copy_bandwidth"}, machine.processor().copy_bandwidth};
  costs.slot = file.bytes("locked_queue.slot_bytes");
  costs.slots = slots_of(file, "locked_queue.slots");
  if (costs.slot.count() < sizeof(void*)) file.refuse("locked_queue.slot_bytes", "must be at least a word of 8 bytes");
  return costs;
}

// Short data travels in the packet or slot.
Bytes short_max_of(const MachineFile& file) {
  const Bytes wanted = file.bytes("mpi.short_max");
  const Bytes room = Bytes(sizeof(mpi::T3eMessage::short_data));
  if (wanted > room) file.refuse("mpi.short_max", fmt::format("a packet has room for {} bytes", room.count()));
  const Bytes in_slot = file.bytes("locked_queue.short_max");
  if (in_slot >= file.bytes("locked_queue.slot_bytes"))
    file.refuse("locked_queue.short_max", "must leave room in the slot (locked_queue.slot_bytes)");
  return has_hardware_queue(file) ? wanted : std::min(wanted, in_slot);
}

mpi::T3eSettings settings_of(const Machine& machine) {
  const MachineFile& file = machine.parameters();
  const Processor& processor = machine.processor();
  mpi::T3eSettings settings;
  settings.send_call = step_of(file, "call that sends", "mpi.send_overhead");
  settings.receive_call = step_of(file, "call that receives", "mpi.receive_overhead");
  settings.message = step_of(file, "protocol message", "mpi.message_overhead");
  settings.look = {{"poll", "processor.poll"}, processor.poll};
  settings.barrier_look = step_of(file, "look at the barrier", "barrier.poll");
  settings.clock_read = {{"clock read", "processor.clock_read"}, processor.clock_read};
  settings.copy = processor.copy_bandwidth;
  settings.combine = processor.combine_rate;
  settings.short_max = short_max_of(file);
  settings.medium_max = file.bytes("mpi.medium_max");
  settings.synchronous_min = file.bytes("mpi.synchronous_min");
  settings.medium =
      &protocol_of(file, "mpi.medium", choice_with_library(file, "mpi.medium", {"Tn", "RTA", "RAT"}, "RTA", "Tn"));
  settings.longer = &protocol_of(file, "mpi.longer", file.choice("mpi.longer", {"RTA", "RAT"}));
  settings.synchronous = &protocol_of(file, "mpi.synchronous", file.choice("mpi.synchronous", {"RTA", "RAT"}));
  settings.slot_data = file.bytes("locked_queue.slot_data");
  if (has_barrier(file)) settings.barrier_call = step_of(file, "call of a barrier", "mpi.send_overhead");
  const std::uint64_t slots = slots_of(file, "locked_queue.slots");
  if (settings.slot_data == Bytes()) file.refuse("locked_queue.slot_data", "must be more than 0");
  if (settings.medium_max.count() > slots * settings.slot_data.count())
    file.refuse("mpi.medium_max", fmt::format("a queue of {} slots (locked_queue.slots) has room for {} bytes", slots,
                                              slots * settings.slot_data.count()));
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

T3eMpi::T3eMpi(const LibraryStart& start)
    : has_hardware_queue_(has_hardware_queue(start.machine.parameters())),
      packet_costs_(packet_costs_of(start.machine.parameters())),
      slot_costs_(slot_costs_of(start.machine)),
      poll_(start.machine.processor().poll),
      buffer_max_(buffer_max_of(start.machine.parameters())),
      library_(settings_of(start.machine)),
      world_(start.engine, start.ranks, start.choices, start.end_run),
      message_queues_(start.engine, start.machine.network()) {}

void T3eMpi::add(shmem::Pe& pe, int application) {
  mpi::T3eDevice& device = devices_.emplace_back(library_, pe, buffer_max_,
                                                 [&](mpi::T3eAbsorber& library) { return make_queue(pe, library); });
  processes_.emplace_back(world_, pe.rank(), device, application);
}

std::unique_ptr<mpi::T3eProtocolQueue> T3eMpi::make_queue(shmem::Pe& pe, mpi::T3eAbsorber& library) {
  if (has_hardware_queue_) {
    t3e::PacketQueue& own = packet_queues_.emplace_back(message_queues_, pe.rank(), pe.node(), packet_costs_);
    packet_queues_by_rank_.push_back(&own);
    return std::make_unique<mpi::T3eHardwareQueue>(own, packet_queues_by_rank_, library, poll_);
  }
  mpi::T3eQueueLock& own = locks_.emplace_back(pe.rank().main_thread(), slot_costs_.slots, slot_costs_.slot,
                                               mpi::T3eLockedQueue::polls_of(slot_costs_));
  locks_by_rank_.push_back(&own);
  return std::make_unique<mpi::T3eLockedQueue>(pe, own, locks_by_rank_, library, slot_costs_);
}

}  // namespace hindcast
