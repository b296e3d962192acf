// Broadcast along a binomial tree: who has the data sends it to the rank half of its part of the ranks away, and halves
// its part.
// Needs: nothing.
#include "mpi_impl/collectives/bcast/binomial.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

Task bcast_binomial(Collective& collective, Block data, int root) {
  const int n = collective.size();
  const int from_root = collective.neighbour(-root);
  int distance = 1;
  while (distance < n && (from_root & distance) == 0) distance *= 2;
  if (from_root != 0) co_await collective.receive(data, collective.neighbour(-distance));
  for (distance /= 2; distance > 0; distance /= 2)
    if (from_root + distance < n) co_await collective.send(data, collective.neighbour(distance));
}

namespace {

const Row<Algorithm> bcast_binomial_row{{.operation = CollectiveOperation::bcast,
                                         .place = 10,
                                         .name = "binomial",
                                         .function = bcast_binomial,
                                         .means = means::trees,
                                         .cost = "ceil(log2 n) T(m)"}};

}  // namespace

}  // namespace hindcast::mpi
