#include "mpi_impl/api/first_byte.hpp"

#include <algorithm>

#include "mpi_impl/api/entry.hpp"

namespace hindcast::mpi {

namespace {

Address first_byte_of(const void* buffer, std::ptrdiff_t displacement, MPI_Count count, const Datatype& type) {
  const Reach reach = reach_of(type, count);
  if (reach.bytes == 0) return nowhere;
  return reinterpret_cast<Address>(buffer) + static_cast<Address>(displacement + reach.offset);
}

}  // namespace

Address first_byte(Process&, const Comm*, const void* buffer, MPI_Count count, const Datatype& type) {
  return first_byte_of(buffer, 0, count, type);
}

Address first_byte(Process&, const Comm* comm, const void* buffer, const int* counts, const Datatype& type,
                   const int* displacements) {
  Address first = nowhere;
  for (int rank = 0; rank < comm->peer_count; ++rank)
    first = std::min(first, first_byte_of(buffer, displacements[rank] * type.extent, counts[rank], type));
  return first;
}

Address first_byte(Process& process, const Comm* comm, const void* buffer, const int* counts, const MPI_Datatype* types,
                   const int* displacements) {
  Address first = nowhere;
  for (int rank = 0; rank < comm->peer_count; ++rank)
    if (counts[rank] > 0)
      first = std::min(first,
                       first_byte_of(buffer, displacements[rank], counts[rank], *find_datatype(process, types[rank])));
  return first;
}

}  // namespace hindcast::mpi
