// Elements that lie in memory as hardware likes them: items of one size at one distance, such as those of a vector.
#pragma once

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

// False: they do not, or there are none.
bool lie_in_items(const Datatype& type, MPI_Count count, const void* elements, Items& items);

}  // namespace hindcast::mpi
