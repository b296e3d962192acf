#include "mpi_impl/libraries/cray/mpi_choices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/machine/file/keys_of_choice.hpp"
#include "simulator/machine/file/program_choices.hpp"

namespace hindcast::t3e {

namespace {

constexpr const char* as_library = "as the library";

// What a key says, or what goes with the library that mpi.library names.
std::string choice_with_library(const MachineFile& file, const char* key, const std::vector<std::string>& allowed,
                                const char* of_new, const char* of_old) {
  const std::string chosen = file.choice(key, allowed);
  const bool is_as_library = chosen == as_library;
  const bool is_new = KeysOfChoice(file, is_as_library).choice("mpi.library", {"new", "old"}) == "new";
  return !is_as_library ? chosen : is_new ? of_new : of_old;
}

// Medium data may go by protocols of the library's own taste; what is longer by those that move any data.
std::vector<std::string> names_of_medium() {
  std::vector<std::string> names = mpi::t3e_protocol_names(mpi::T3eReach::slots);
  names.insert(names.begin(), as_library);
  return names;
}
std::vector<std::string> names_of_longer() { return mpi::t3e_protocol_names(mpi::T3eReach::any); }

const Row<ProgramChoices> rows[] = {{{"t3e", "mpi.medium", names_of_medium}},
                                    {{"t3e", "mpi.longer", names_of_longer}},
                                    {{"t3e", "mpi.synchronous", names_of_longer}}};

const mpi::T3eProtocolRow& protocol_of(const MachineFile& file, const char* key, const std::string& name) {
  const mpi::T3eProtocolRow& protocol = mpi::t3e_protocol(name);
  if (protocol.reach == mpi::T3eReach::slots && has_hardware_queue(file))
    file.refuse(key, fmt::format("{} puts data into slots that lie one behind the other, and a message queue in "
                                 "hardware takes single packets; take mpi.queue=locked, or {}",
                                 name, fmt::join(names_of_longer(), " or ")));
  return protocol;
}

}  // namespace

bool has_hardware_queue(const MachineFile& file) {
  const bool is_wanted =
      choice_with_library(file, "mpi.queue", {as_library, "hardware", "locked"}, "hardware", "locked") == "hardware";
  if (is_wanted && !file.has("message_queue.slots"))
    file.refuse("mpi.queue",
                "this machine has no message queues in hardware; take mpi.library=old, or mpi.queue=locked");
  return is_wanted;
}

bool has_barrier(const MachineFile& file) {
  const bool can_be_polled = file.choice("barrier.polled", {"yes", "no"}) == "yes";
  const bool is_wanted = choice_with_library(file, "mpi.barrier", {as_library, "hardware", "messages"}, "hardware",
                                             "messages") == "hardware";
  if (is_wanted && !can_be_polled)
    file.refuse(
        "mpi.barrier",
        "a barrier that cannot be polled (barrier.polled) would keep messages from progressing; take 'messages'");
  return is_wanted;
}

Bytes short_max_of(const MachineFile& file) {
  const bool is_in_hardware = has_hardware_queue(file);
  const Bytes wanted = file.bytes("mpi.short_max");
  const Bytes room = Bytes(sizeof(mpi::T3eMessage::short_data));
  if (wanted > room) file.refuse("mpi.short_max", fmt::format("a packet has room for {} bytes", room.count()));
  const KeysOfChoice slots(file, !is_in_hardware);
  const Bytes in_slot = slots.bytes("locked_queue.short_max"), slot = slots.bytes("locked_queue.slot_bytes");
  if (slots.are_complete() && in_slot >= slot)
    file.refuse("locked_queue.short_max", "must leave room in the slot (locked_queue.slot_bytes)");
  return is_in_hardware ? wanted : std::min(wanted, in_slot);
}

ChosenProtocols chosen_protocols(const MachineFile& file) {
  const auto of = [&](const char* key, const std::string& name) -> const mpi::T3eProtocolRow& {
    return protocol_of(file, key, name);
  };
  return {mpi::t3e_protocol("T"),
          of("mpi.medium", choice_with_library(file, "mpi.medium", names_of_medium(), "RTA", "Tn")),
          of("mpi.longer", file.choice("mpi.longer", names_of_longer())),
          of("mpi.synchronous", file.choice("mpi.synchronous", names_of_longer()))};
}

}  // namespace hindcast::t3e
