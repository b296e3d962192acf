// Ways up and down trees.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/costs/ways/on_the_way.hpp"

namespace hindcast::mpi {

struct Tree {
  int n;  // ranks
  int k;  // of a k-ary or a k-nomial tree
};

// Messages of so many bytes go up a tree, and each costs so many seconds of work where it is received: until the root
// has worked on the last one.
struct WayUp {
  OnTheWay bytes;
  OnTheWay work;
  OnTheWay begins;  // when a rank is ready for its children, or if it has none, sends
};
enum class HeardFirst : bool { first_child, last_child };
double way_up_kary(const CostModel& machine, Tree tree, const WayUp& way, HeardFirst heard_first);
// A rank is ready for its children of a level, and waits for each or for all of these; or for all that it has.
enum class WaitsFor : std::uint8_t { each, a_level, all };
double way_up_knomial(const CostModel& machine, Tree tree, const WayUp& way, WaitsFor waits_for);

// Down a tree: when each rank, numbered from the root on, has its data and has sent what it hands on.
struct WayDown {
  OnTheWay bytes;
  OnTheWay before;  // seconds that pass on the sender before each message
};
std::vector<double> way_down_kary(const CostModel& machine, Tree tree, const WayDown& way);
std::vector<double> way_down_knomial(const CostModel& machine, Tree tree, const WayDown& way);

}  // namespace hindcast::mpi
