// Barrier by the machine's own.
// Needs: the machine's barrier.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_native(Collective& collective) { co_await collective.meet(); }

const Row<Algorithm> barrier_native_row{{.operation = CollectiveOperation::barrier,
                                         .place = 60,
                                         .name = "native",
                                         .function = barrier_native,
                                         .means = means::whole_machine,
                                         .needs = need::barrier,
                                         .cost = "D"}};

}  // namespace

}  // namespace hindcast::mpi
