// What can be chosen about an algorithm besides its name. 0, or null, where it has no such parameter.
#pragma once

#include <cstddef>

#include "mpi_impl/core/communicators/levels.hpp"

namespace hindcast::mpi {

struct Algorithm;

struct Parameters {
  std::size_t segment = 0;  // bytes that travel at a time
  int radix = 0;            // fan-out of a tree, or base of the numbers that distances are powers of
  // Of algorithms of two levels: by what groups are made, and what serves inside a group and between groups.
  Level level = Level::nearest;
  const Algorithm* inner = nullptr;
  const Algorithm* outer = nullptr;
};

}  // namespace hindcast::mpi
