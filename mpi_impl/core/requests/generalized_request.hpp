// Requests of operations that the program itself makes progress with (MPI-3.1, 12.2), and says when they end.
#pragma once

#include <mpi.h>

#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

class Process;
struct Request;

struct GeneralizedOperation {
  MPI_Grequest_query_function* query = nullptr;
  MPI_Grequest_free_function* free = nullptr;
  MPI_Grequest_cancel_function* cancel = nullptr;
  void* extra_state = nullptr;
  bool is_freed = false;  // by the program, before the end
  MPI_Status status;
  Operation end;
};

// Has the program fill in the status. Gives what its callback gave.
int query(Process& process, Request& request);
// The program is told of the end for the last time.
int free_state(Process& process, Request& request);
void cancel_generalized(Process& process, Request& request);
void free_generalized(Process& process, Request& request);

}  // namespace hindcast::mpi
