// What all cells do together: barriers, and reductions of a single number whose result all have.
#pragma once

#include <functional>

#include "mpi_impl/libraries/aplib/native/cell.hpp"

namespace hindcast::aplib {

// In each round a cell hears of twice as many others as in the one before.
void synchronize(Cell& self, const char* call);

// All have to call the same one. Cell 0 takes the numbers of all others, in the order of the cells, and sends the
// result to each in turn. `combine` puts the sum of both into the first.
using Combine = std::function<void(void* into, const void* other)>;
void reduce(Cell& self, const char* call, void* number, Bytes bytes, const Combine& combine);

}  // namespace hindcast::aplib
