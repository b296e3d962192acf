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

// Those that the bytes [first, first + bytes) of the elements' data lie in, in order, each as long as there are bytes
// without a gap, while `visit` gives true.
void visit_runs(const Layout& layout, std::ptrdiff_t extent, std::size_t first, std::size_t bytes,
                const std::function<bool(const Run&)>& visit);

}  // namespace hindcast::mpi
