// Data between a program's memory and a file: at an offset, at the rank's own pointer, at the shared one, or at that in
// the order of ranks (MPI-3.1, 13.4). Time goes by as for a copy; what a disk takes is not simulated.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi_impl/core/files/file.hpp"
#include "mpi_impl/core/files/near_runs.hpp"

namespace hindcast::mpi {

// What the program gives. `elements` are only read by a write.
struct AccessArguments {
  void* elements;
  int count;
  const Datatype& type;
};

// All give the bytes of data in memory that have been accessed: of a read, as many as there were.
std::size_t access_at(Process& process, File& file, AccessWay way, MPI_Offset offset, const AccessArguments& what);
std::size_t access_at_own_pointer(Process& process, File& file, AccessWay way, const AccessArguments& what);
std::size_t access_at_shared_pointer(Process& process, File& file, AccessWay way, const AccessArguments& what);
// By all members.
std::size_t access_in_order(Process& process, File& file, AccessWay way, const AccessArguments& what);

// Throws if a file that is only read or written from its beginning to its end is asked for what needs places.
void require_places(const File& file);
// Throws if it was not opened for this.
void require_right(const File& file, AccessWay way);

}  // namespace hindcast::mpi
