// Every algorithm there is: the rows at the ends of their files, gathered and put in order.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

// In the order of operations, and within one of places. Throws std::logic_error if two of an operation have the same
// name or the same place.
std::vector<Algorithm> in_order(std::vector<Algorithm> algorithms);

// The same, in whose parameters are the algorithms that their usual stages name. Throws std::logic_error if one does
// not serve everywhere.
std::vector<Algorithm> with_stages(std::vector<Algorithm> all);

std::span<const Algorithm> algorithms();
std::span<const Algorithm> algorithms_of(CollectiveOperation operation);
// Null if there is none of that name.
const Algorithm* find_algorithm(CollectiveOperation operation, std::string_view name);

}  // namespace hindcast::mpi
