// The reduction along a k-nomial tree, which others are built of. Its radix is that of the collective's parameters.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task reduce_knomial(Collective& collective, Block mine, Block result, int root);

}  // namespace hindcast::mpi
