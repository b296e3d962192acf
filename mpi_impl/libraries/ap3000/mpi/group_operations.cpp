#include "mpi_impl/libraries/ap3000/mpi/group_operations.hpp"

#include <stdexcept>

namespace hindcast::mpi {

namespace {

[[noreturn]] void not_offered() { throw std::logic_error("the machine has nothing for a group"); }

}  // namespace

void Ap3000GroupOperations::broadcast(SendOperation&, const Members&) { not_offered(); }
void Ap3000GroupOperations::meet(const Members&, Operation&, std::int32_t*) { not_offered(); }
void Ap3000GroupOperations::reduce(const Members&, const ElementReduction&, Operation&) { not_offered(); }

}  // namespace hindcast::mpi
