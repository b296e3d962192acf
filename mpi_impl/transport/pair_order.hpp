// Where messages of a pair of ranks may overtake each other, because they go by several methods, each is numbered. The
// receiver has them matched in the order of the numbers: what comes too early is kept until its turn. A rank knows of
// those alone that it has had messages with.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "mpi_impl/matching/in_turn.hpp"
#include "mpi_impl/transport/message.hpp"

namespace hindcast::mpi {

class PairOrder {
 public:
  std::uint32_t next_to(int rank) { return peers_[rank].sent++; }

  // Whether it is the message's turn. If not it is kept.
  bool is_next(Message& message) { return peers_[message.sender_rank].received.is_next(message); }
  // It has been matched, or laid by for its receive. Gives the one whose turn comes then, or null if it is not here.
  Message* next_after(int sender) { return peers_[sender].received.next(); }

 private:
  static std::uint32_t place_of(const Message& message) { return message.place; }
  struct Peer {
    std::uint32_t sent = 0;
    matching::InTurn<Message, place_of> received;
  };
  std::unordered_map<int, Peer> peers_;
};

}  // namespace hindcast::mpi
