// A receive that waits for its message: one of the list, from its time on, or the one in dl_arecv. Its order, and the
// two after it, are those of what it does if its message turns out to have been there at its time.
#pragma once

#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"

namespace hindcast::mpi {

struct CellosEndpoint::Pending : cellos::Expected {
  ReceiveOperation* operation = nullptr;
};

}  // namespace hindcast::mpi
