// Barrier by one rank alone: all tell rank 0, which then tells all.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_linear(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  if (collective.rank() != 0) {
    co_await collective.send(nothing, 0);
    co_await collective.receive(nothing, 0);
    co_return;
  }
  for (int rank = 1; rank < collective.size(); ++rank) collective.post_receive(nothing, rank);
  co_await collective.all();
  for (int rank = 1; rank < collective.size(); ++rank) collective.post_send(nothing, rank);
  co_await collective.all();
}

const Row<Algorithm> barrier_linear_row{{.operation = CollectiveOperation::barrier,
                                         .place = 50,
                                         .name = "linear",
                                         .function = barrier_linear,
                                         .means = means::messages,
                                         .cost = "2 T(0) + (n-2) (R(0) + S(0))"}};

}  // namespace

}  // namespace hindcast::mpi
