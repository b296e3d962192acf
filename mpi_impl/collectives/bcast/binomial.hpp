// The broadcast along a binomial tree, which others are built of.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task bcast_binomial(Collective& collective, Block data, int root);

}  // namespace hindcast::mpi
