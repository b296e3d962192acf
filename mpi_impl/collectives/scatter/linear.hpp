// The scatter by the root alone, of blocks of any lengths, which others are built of.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task scatter_linear(Collective& collective, Blocks all, Block mine, int root);

}  // namespace hindcast::mpi
