// Allreduce and reduction by the machine's own, once for every element.
// Needs: the machine's reduction of an element. The formula is that of elements of 8 bytes.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

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

constexpr Algorithm allreduce_native_algorithm{.operation = CollectiveOperation::allreduce,
                                               .place = 80,
                                               .name = "native",
                                               .function = allreduce_native,
                                               .means = means::whole_machine,
                                               .needs = need::reduction,
                                               .cost = "m/8 E"};
constexpr Algorithm reduction{.operation = CollectiveOperation::reduce,
                              .place = 70,
                              .name = "native",
                              .function = reduce_native,
                              .means = means::whole_machine,
                              .needs = need::reduction,
                              .cost = allreduce_native_algorithm.cost};
const Row<Algorithm> allreduce_native_row{allreduce_native_algorithm}, reduce_native_row{reduction};

}  // namespace

}  // namespace hindcast::mpi
