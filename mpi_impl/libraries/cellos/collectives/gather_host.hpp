// The gather by the machine's host, which others are built of.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task gather_host(Collective& collective, Block mine, Blocks all, int root);

}  // namespace hindcast::mpi
