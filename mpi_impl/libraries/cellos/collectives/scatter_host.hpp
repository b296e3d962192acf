// The scatter by the machine's host, which others are built of.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task scatter_host(Collective& collective, Blocks all, Block mine, int root);

}  // namespace hindcast::mpi
