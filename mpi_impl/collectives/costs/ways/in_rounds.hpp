// Ways on which ranks go on in rounds, each when it is through its last one.
#pragma once

#include <vector>

#include "mpi_impl/collectives/costs/cost_model.hpp"
#include "mpi_impl/collectives/costs/ways/on_the_way.hpp"

namespace hindcast::mpi {

// In each round a rank tells the one twice as far further on as in the last round, if there is one, and hears from the
// one as far before it, if there is one, which costs it so many seconds of work. Until the last rank has worked; the
// first one, which only sends, works at the end.
struct WayOfDoubling {
  OnTheWay bytes;
  OnTheWay work;
  double work_of_first;  // seconds
};
double way_of_doubling(const CostModel& machine, int ranks, const WayOfDoubling& way);

// In each round two places so far apart swap messages, which costs both so many seconds of work. Places are the
// greatest power of two that is not above the number of ranks; as many of the first ones as there are ranks more stand
// for two, and begin late. A message has the data of those ranks for which places stand that differ from its receiver's
// below that distance only.
struct WayOfSwaps {
  OnTheWay distance;
  OnTheWay bytes;
  OnTheWay work;
  double late;       // seconds
  OnTheWay one_way;  // not 0: the upper place of two only sends, and the lower one only hears
};
// Until the last place has worked, or the first one if a last round goes one way.
double way_of_swaps(const CostModel& machine, int ranks, int rounds, const WayOfSwaps& way);

// In each round a rank, which has begun at its time, sends so many bytes to its next and hears from the one before it,
// around a ring: until the last one is through.
double way_around_ring(const CostModel& machine, std::vector<double> began, int rounds, const OnTheWay& bytes);

}  // namespace hindcast::mpi
