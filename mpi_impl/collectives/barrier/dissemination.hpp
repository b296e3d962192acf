// The barrier by dissemination, which others are built of.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

Task barrier_dissemination(Collective& collective);

}  // namespace hindcast::mpi
