// Where the data of a buffer begin: the address of the lowest byte that a call moves out of it, or into it. A call
// whose data of both sides begin at one byte has given one buffer twice. An address that both sides have in common says
// less: the data may lie at other displacements from it, or at absolute addresses.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <numeric>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {

using Address = std::uintptr_t;
inline constexpr Address nowhere = std::numeric_limits<Address>::max();  // there are no data

Address first_byte(Process& process, const Comm* comm, const void* buffer, MPI_Count count, const Datatype& type);
// The same of a block for every rank. `displacements` says how many extents behind the buffer each begins, or how many
// bytes where each has a datatype of its own.
Address first_byte(Process& process, const Comm* comm, const void* buffer, const int* counts, const Datatype& type,
                   const int* displacements);
Address first_byte(Process& process, const Comm* comm, const void* buffer, const int* counts, const MPI_Datatype* types,
                   const int* displacements);
// So many elements are in blocks that lie side by side.
inline MPI_Count sum_of(const int* counts, int blocks) { return std::accumulate(counts, counts + blocks, MPI_Count{}); }

inline bool begin_together(Address a, Address b) { return a == b && a != nowhere; }

}  // namespace hindcast::mpi
