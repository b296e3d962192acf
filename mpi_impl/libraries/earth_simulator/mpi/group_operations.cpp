#include "mpi_impl/libraries/earth_simulator/mpi/group_operations.hpp"

#include <stdexcept>

namespace hindcast::mpi {

namespace {

[[noreturn]] void only_barriers() { throw std::logic_error("the Earth Simulator's counters serve barriers alone"); }

}  // namespace

Offers EsGroupOperations::offers(const Members& members, bool is_blocking) const {
  Offers offers;
  offers.barrier = is_blocking && members.context == world_.context && members.size == world_.size &&
                   members.first_of_run == world_.first_of_run;
  return offers;
}

void EsGroupOperations::meet(const Members&, Operation& over, std::int32_t* status) {
  if (status != nullptr) only_barriers();
  Thread& thread = *Thread::current();
  over_ = &over;
  thread.spend(call_);
  if (barrier_.has_others(node_)) thread.spend(barrier_.inside());
  thread.act(*this, 0);
}

void EsGroupOperations::broadcast(SendOperation&, const Members&) { only_barriers(); }
void EsGroupOperations::reduce(const Members&, const ElementReduction&, Operation&) { only_barriers(); }

}  // namespace hindcast::mpi
