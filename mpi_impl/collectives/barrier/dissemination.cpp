// Barrier by dissemination: in round k every rank tells the one 2^k further on, and hears from the one 2^k before
// (Hensgen, Finkel and Manber 1988).
// Needs: nothing.
#include "mpi_impl/collectives/barrier/dissemination.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

Task barrier_dissemination(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  for (int distance = 1; distance < collective.size(); distance *= 2)
    co_await collective.exchange(nothing, collective.neighbour(distance), nothing, collective.neighbour(-distance));
}

namespace {

const Row<Algorithm> barrier_dissemination_row{{.operation = CollectiveOperation::barrier,
                                                .place = 10,
                                                .name = "dissemination",
                                                .function = barrier_dissemination,
                                                .means = means::messages,
                                                .cost = "ceil(log2 n) T(0)"}};

}  // namespace

}  // namespace hindcast::mpi
