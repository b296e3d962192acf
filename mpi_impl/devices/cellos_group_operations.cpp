#include "mpi_impl/devices/cellos_group_operations.hpp"

#include <cstring>

#include "mpi_impl/devices/cellos_keys.hpp"

namespace hindcast::mpi {

namespace {

// By kind and operation.
const cellos::Reduction& native_reduction(ElementKind kind, ElementOperation operation) {
  static constexpr const cellos::Reduction* all[][3] = {{&cellos::isum, &cellos::imax, &cellos::imin},
                                                        {&cellos::fsum, &cellos::fmax, &cellos::fmin},
                                                        {&cellos::dsum, &cellos::dmax, &cellos::dmin}};
  return *all[static_cast<int>(kind)][static_cast<int>(operation)];
}

// Of a communicator of one group, whose members alone have registered it. The part of an intercommunicator that is
// within a group shares the domain of the whole (cellos_keys.hpp).
bool is_domain_of_members(std::uint32_t context) { return (context & 3) == 1; }

}  // namespace

Offers CellosGroupOperations::offers(const Members& members, bool is_blocking) const {
  const bool are_all = members.size == cell_.system().cells();
  const bool has_broadcast = carrier_.where() == ContextIn::header ? is_domain_of_members(members.context) : are_all;
  return {has_broadcast && members.size >= small_group_, are_all && is_blocking, are_all && is_blocking};
}

bool CellosGroupOperations::reduces(ElementKind, ElementOperation) const { return true; }

void CellosGroupOperations::broadcast(SendOperation& send, const Members&) {
  send.message = carrier_.upcoming_message();
  carrier_.broadcast(
      {nullptr, cellos::to_all_cells, carrier_.space(), cellos_key(send.envelope), send.data, send.bytes});
  send.complete(Thread::current()->clock());
}

// That there is nothing any more is known only at the thread's time.
bool CellosGroupOperations::must_go_on() const {
  if (outstanding_ == 0) return false;
  Thread::current()->settle();
  return outstanding_ > 0;
}

void CellosGroupOperations::meet(const Members&, Operation& over, std::int32_t* status) {
  if (must_go_on()) return status == nullptr ? cell_.begin_sync(over) : cell_.begin_sync_with_status(*status, over);
  if (status == nullptr)
    cell_.sync("sync");
  else
    cell_.sync_with_status(*status);
  over.complete(Thread::current()->clock());
}

void CellosGroupOperations::reduce(const Members&, const ElementReduction& reduction, Operation& over) {
  const cellos::Reduction& native = native_reduction(reduction.kind, reduction.operation);
  if (reduction.result != reduction.mine) std::memcpy(reduction.result, reduction.mine, native.bytes);
  if (must_go_on()) return cell_.begin_reduce(native, reduction.result, over);
  cell_.reduce(native, reduction.result);
  over.complete(Thread::current()->clock());
}

}  // namespace hindcast::mpi
