#include "mpi_impl/libraries/cray/mpi/group_operations.hpp"

#include <stdexcept>

namespace hindcast::mpi {

namespace {

[[noreturn]] void not_offered() { throw std::logic_error("the T3E has a barrier, and nothing else for a group"); }

}  // namespace

// There is one barrier for all: it serves calls that end with it.
Offers T3eGroupOperations::offers(const Members& members, bool is_blocking) const {
  Offers offers;
  const int pes = pe_.system().pes();
  offers.barrier = barrier_call_.has_value() && is_blocking && members.size == pes && members.last_in_run < pes;
  return offers;
}

void T3eGroupOperations::meet(const Members&, Operation& over, std::int32_t* status) {
  if (status != nullptr) not_offered();
  barrier_ = &over;
  Thread::current()->spend(*barrier_call_);
  pe_.begin_barrier(over);
}

void T3eGroupOperations::broadcast(SendOperation&, const Members&) { not_offered(); }
void T3eGroupOperations::reduce(const Members&, const ElementReduction&, Operation&) { not_offered(); }

}  // namespace hindcast::mpi
