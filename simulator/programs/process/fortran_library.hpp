// What libgfortran asks the C library for, where a rank of a simulated machine has to answer otherwise than a process.
// Each rank has a copy of libgfortran for itself (own_libraries.hpp), so that its units and generators are its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hindcast::programs {

// By the name of its file.
bool is_fortran_library(std::string_view name);

// The function of ours that takes a function's place in libgfortran; null if none does.
void* replacement_for_fortran(std::string_view function);

// What one rank's libgfortran keeps with us.
struct FortranLibraryState {
  std::vector<const void*> values_of_keys;
  std::uint64_t entropy = 0;
  bool has_said_where = false;  // in what was last written to standard error, an error is at
};

}  // namespace hindcast::programs
