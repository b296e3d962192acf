// The compiler wrappers: hindcast cc, c++ and fc; hindcast-mpicc, hindcast-mpicxx and hindcast-mpifort.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

enum class Language { c, cxx, fortran };

// Starts the compiler in this process's place; returns only if it cannot, with an exit status.
int compile(Language language, const std::vector<std::string>& arguments);

}  // namespace hindcast
