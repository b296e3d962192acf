// How the library's functions are called by those who write programs.
#pragma once

#include <string>
#include <string_view>

namespace hindcast::mpi {

// "MPI_Win_fence" of its symbols for C and for Fortran: MPI_Win_fence, PMPI_Win_fence, pmpi_win_fence_ and the one
// behind the module mpi_f08. Empty if a symbol is no function of MPI's.
std::string mpi_name_of(std::string_view symbol);

}  // namespace hindcast::mpi
