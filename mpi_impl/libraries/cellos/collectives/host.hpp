// What the algorithms that use the machine's host have in common. The host scatters over all others, or gathers from
// them, at once.
#pragma once

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/libraries/cellos/mpi/group_operations.hpp"

namespace hindcast::mpi {

namespace need {

inline constexpr Need host{"the machine's host among all of the run, as the root if there is one",
                           [](const Situation& in) {
                             const bool is_root = in.root == Situation::no_root || in.root == in.offers.own.number;
                             return is_host_offer(in.offers.own) && is_root;
                           },
                           true};

}  // namespace need

namespace means {

inline constexpr const char* host = "the machine's host";

}  // namespace means

// The host is rank 0 of the run.
inline int host_in(const Collective& collective) { return collective.rank_of(0); }
// The one that has this place among all others: they are in the order of their ranks in the run.
inline int rank_beside_host(const Collective& collective, int place) { return collective.rank_of(place + 1); }

inline Round distribute(Collective& collective, HostDirection direction, HostBlocks& blocks) {
  return collective.perform([&](Operation& over) {
    dynamic_cast<CellosGroupOperations&>(collective.group_operations()).distribute(direction, blocks, over);
  });
}

}  // namespace hindcast::mpi
