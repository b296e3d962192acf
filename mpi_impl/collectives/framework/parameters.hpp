// What can be chosen about an algorithm besides its name. 0 where it has no such parameter.
#pragma once

#include <cstddef>

namespace hindcast::mpi {

struct Parameters {
  std::size_t segment = 0;  // bytes that travel at a time
  int radix = 0;            // fan-out of a tree, or base of the numbers that distances are powers of
};

}  // namespace hindcast::mpi
