// Which shared libraries belong to a program: their variables must be each rank's own.
#pragma once

#include <string>
#include <vector>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

struct OwnLibrary {
  std::string name;  // as it is needed
  std::string path;
};

inline constexpr const char* library_name = "libhindcast.so";

// Those outside the system's directories, hindcast's own left out, and of the system's Fortran's run-time library and
// FFTW; what is needed comes before who needs it. A library that is not found is left out: loading the program will
// tell.
std::vector<OwnLibrary> own_libraries(const ElfImage& program);

// Whether a rank that opens this file has it for itself.
bool is_each_ranks_own(const std::string& path);

// Where a library lies that this image opens by a name without a slash. Empty if it is not each rank's own, or is not
// there.
std::string find_own_library(const std::string& name, const ElfImage& opener);

// What the program or a library of its asks for and none of them has. What nobody calls has to be there too, as all is
// bound when a rank begins.
std::vector<std::string> undefined_symbols(const ElfImage& program);

}  // namespace hindcast::programs
