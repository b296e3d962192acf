// Where messages of a pair of ranks may overtake each other, because they go by several methods, each is numbered. The
// receiver has them matched in the order of the numbers: what comes too early is kept until its turn. A rank knows of
// those alone that it has had messages with.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mpi_impl/transport/message.hpp"

namespace hindcast::mpi {

class PairOrder {
 public:
  std::uint32_t next_to(int rank) { return peers_[rank].sent++; }

  // Whether it is the message's turn. If not it is kept.
  bool is_next(Message& message) {
    Peer& peer = peers_[message.sender_rank];
    if (message.place == peer.matched) return true;
    peer.early.push_back(&message);
    return false;
  }
  // It has been matched, or laid by for its receive. Gives the one whose turn comes then, or null if it is not here.
  Message* next_after(int sender) {
    Peer& peer = peers_[sender];
    ++peer.matched;
    for (auto early = peer.early.begin(); early != peer.early.end(); ++early) {
      if ((*early)->place != peer.matched) continue;
      Message* const next = *early;
      peer.early.erase(early);
      return next;
    }
    return nullptr;
  }

 private:
  struct Peer {
    std::uint32_t sent = 0;
    std::uint32_t matched = 0;
    std::vector<Message*> early;
  };
  std::unordered_map<int, Peer> peers_;
};

}  // namespace hindcast::mpi
