// How long the blocks of a rank and of those below it in a tree are, by their places: told ahead of the blocks.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "mpi_impl/collectives/framework/block.hpp"

namespace hindcast::mpi {

using Lengths = std::vector<std::uint64_t>;

// The lengths themselves, of so many ranks, to be sent or received.
inline Block block_of(Lengths& lengths, int first, int ranks) {
  return bytes_at(&lengths[static_cast<std::size_t>(first)], sizeof(std::uint64_t) * static_cast<std::size_t>(ranks));
}
inline std::uint64_t sum_of(const Lengths& lengths, int first, int ranks) {
  return std::accumulate(lengths.begin() + first, lengths.begin() + first + ranks, std::uint64_t{0});
}

}  // namespace hindcast::mpi
