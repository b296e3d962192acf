// What the ranks of a random program do together: its messages, made from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi::random_programs {

// To everybody: a broadcast. From and to everybody: a barrier.
constexpr int everybody = -1;

struct PlannedMessage {
  int from, to;
  bool wild;
  std::uint64_t bytes;
  SendMode mode;
  bool may_be_cancelled = false;  // by its sender, at any time

  bool comes_for_sure_to(int rank) const {
    return from != rank && from != everybody && !may_be_cancelled && (to == rank || to == everybody);
  }
  bool may_come_to(int rank) const { return (to == rank && !may_be_cancelled) || comes_for_sure_to(rank); }
};

struct Plan {
  std::uint32_t seed;
  int ranks;
  std::vector<PlannedMessage> messages;
};

// What a plan has beside messages from one to one.
enum class Together { nothing, barriers, broadcasts_and_barriers };

// Of so many ranks at least, and up to four more.
Plan make_plan(std::uint32_t seed, Together together, bool cancels = true, int ranks_min = 2);

}  // namespace hindcast::mpi::random_programs
