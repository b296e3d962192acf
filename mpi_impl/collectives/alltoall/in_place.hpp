// All-to-all in place: what is to be sent is copied out of the way first, then any algorithm can run.
#pragma once

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

Task alltoall_in_place(Collective& collective, AlltoallFunction* algorithm, Blocks in);

}  // namespace hindcast::mpi
