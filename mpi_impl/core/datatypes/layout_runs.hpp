// The runs of bytes that elements in memory have, one by one.
#pragma once

#include <cstddef>
#include <functional>

#include "mpi_impl/core/datatypes/layout.hpp"

namespace hindcast::mpi {

// Whether `holds` is true of all runs of `count` elements that are `extent` apart. No further ones are asked for once
// one is found of which it is not.
bool all_runs(const Layout& layout, std::size_t count, std::ptrdiff_t extent,
              const std::function<bool(const Run&)>& holds);

}  // namespace hindcast::mpi
