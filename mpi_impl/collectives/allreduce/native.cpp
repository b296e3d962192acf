// Allreduce and reduction by the machine's own, once for every element.
// Needs: the machine's reduction of an element. Costs: E for every element.
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allreduce_native(Collective& collective, Block mine, Block result) {
  for (int i = 0; i < mine.count; ++i)
    co_await collective.reduce_element(*mine.type, mine.part(i, 1).data, result.part(i, 1).data);
}

Task reduce_native(Collective& collective, Block mine, Block result, int root) {
  if (collective.rank() == root) {
    co_await allreduce_native(collective, mine, result);
  } else {
    Scratch unwanted(collective.pool(), mine);
    co_await allreduce_native(collective, mine, unwanted.block());
  }
}

}  // namespace hindcast::mpi
