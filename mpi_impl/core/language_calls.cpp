// Objects that go from one language to another. Handles are ints, and statuses the same bytes, in all of them.
#include <cstring>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));
static_assert(offsetof(MPI_Status, MPI_SOURCE) == MPI_F_SOURCE * sizeof(MPI_Fint));
static_assert(offsetof(MPI_Status, MPI_TAG) == MPI_F_TAG * sizeof(MPI_Fint));
static_assert(offsetof(MPI_Status, MPI_ERROR) == MPI_F_ERROR * sizeof(MPI_Fint));

int Handle_converted(Process&, int handle) { return handle; }

// Fortran's may not be aligned as C's are.
void Status_c2f(Process&, const void* from, void* to) { std::memmove(to, from, sizeof(MPI_Status)); }

}  // namespace hindcast::mpi::body
