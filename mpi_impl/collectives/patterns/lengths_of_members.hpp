// How a group's leader comes to know the lengths of its members' blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"

namespace hindcast::mpi {

// On the leader, which is the first of the group, whose own block has so many bytes.
inline Task hear_lengths(Collective& inside, std::size_t own, BlocksOfLengths& lengths) {
  std::vector<std::uint64_t> told(static_cast<std::size_t>(inside.size()), own);
  for (int member = 1; member < inside.size(); ++member)
    inside.post_receive(bytes_at(&told[static_cast<std::size_t>(member)], sizeof(std::uint64_t)), member);
  co_await inside.all();
  for (const std::uint64_t bytes : told) lengths.append(bytes);
}

// On the others.
inline Task tell_length(Collective& inside, std::size_t own) {
  std::uint64_t length = own;
  co_await inside.send(bytes_at(&length, sizeof length), 0);
}

}  // namespace hindcast::mpi
