#include "mpi_impl/collectives/alltoall/in_place.hpp"

#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"

namespace hindcast::mpi {

Task alltoall_in_place(Collective& collective, AlltoallFunction* algorithm, Blocks in) {
  BlocksOfLengths lengths;
  for (int rank = 0; rank < collective.size(); ++rank) lengths.append(in.of(rank).bytes());
  const Scratch copy(collective.pool(), lengths.bytes());
  const Blocks out = lengths.at(copy.bytes());
  for (int rank = 0; rank < collective.size(); ++rank) collective.copy(in.of(rank), out.of(rank));
  co_await algorithm(collective, out, in);
}

}  // namespace hindcast::mpi
