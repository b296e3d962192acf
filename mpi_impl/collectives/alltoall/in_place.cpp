#include "mpi_impl/collectives/alltoall/in_place.hpp"

#include <vector>

namespace hindcast::mpi {

Task alltoall_in_place(Collective& collective, AlltoallFunction* algorithm, Blocks in) {
  const auto ranks = static_cast<std::size_t>(collective.size());
  std::vector<int> counts(ranks), displacements(ranks);
  std::size_t bytes = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    displacements[rank] = static_cast<int>(bytes);
    counts[rank] = static_cast<int>(in.of(static_cast<int>(rank)).bytes());
    bytes += static_cast<std::size_t>(counts[rank]);
  }
  const Scratch copy(collective.pool(), bytes);
  Blocks out;
  out.data = copy.bytes();
  out.type = predefined_datatype(MPI_PACKED);
  out.counts = counts.data();
  out.displacements = displacements.data();
  for (int rank = 0; rank < collective.size(); ++rank) collective.copy(in.of(rank), out.of(rank));
  co_await algorithm(collective, out, in);
}

}  // namespace hindcast::mpi
