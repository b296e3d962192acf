// What formulas have functions for: ways up and down trees, on which who waits for whom depends on more than the level.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"

namespace hindcast::mpi {

struct Tree {
  int n;  // ranks
  int k;  // children of each, if there are so many
};

// Messages of so many bytes go up a k-ary tree, and each costs so many seconds of work where it is received: until the
// root has worked on the last one.
enum class HeardFirst : bool { first_child, last_child };
double longest_way_up(const CostModel& machine, Tree tree, double bytes, double work, HeardFirst heard_first);
// Down the tree, to the last rank.
double longest_way_down(const CostModel& machine, Tree tree, double bytes);

}  // namespace hindcast::mpi
