// The order of messages from one rank to another in one context, where they may overtake each other: a program may
// choose another way for a communicator's messages while some are under way. Each is numbered, and matched in that
// order.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "mpi_impl/libraries/mpich/mpi/channel.hpp"
#include "mpi_impl/matching/in_turn.hpp"

namespace hindcast::mpi {

class ContextOrder {
 public:
  std::uint32_t next_to(int rank, std::uint32_t context) { return sent_[key_of(rank, context)]++; }

  // Whether it is the message's turn. If not it is kept.
  bool is_next(ControlMessage& message) { return received_[key_of(message.packet)].is_next(message); }
  // After a message has had its turn: the one whose turn is next, or null if it is not here.
  ControlMessage* next_after(const ControlPacket& packet) { return received_[key_of(packet)].next(); }

 private:
  static std::uint32_t place_of(const ControlMessage& message) { return message.packet.place; }
  static std::uint64_t key_of(int rank, std::uint32_t context) {
    return static_cast<std::uint64_t>(rank) << 32 | context;
  }
  static std::uint64_t key_of(const ControlPacket& packet) { return key_of(packet.from, packet.envelope.context); }

  std::unordered_map<std::uint64_t, std::uint32_t> sent_;
  std::unordered_map<std::uint64_t, matching::InTurn<ControlMessage, place_of>> received_;
};

}  // namespace hindcast::mpi
