#include "mpi_impl/devices/cellos_group_operations.hpp"

#include <cstring>

namespace hindcast::mpi {

namespace {

// By kind and operation.
const cellos::Reduction& native_reduction(ElementKind kind, ElementOperation operation) {
  static constexpr const cellos::Reduction* all[][3] = {{&cellos::isum, &cellos::imax, &cellos::imin},
                                                        {&cellos::fsum, &cellos::fmax, &cellos::fmin},
                                                        {&cellos::dsum, &cellos::dmax, &cellos::dmin}};
  return *all[static_cast<int>(kind)][static_cast<int>(operation)];
}

}  // namespace

Offers CellosGroupOperations::offers(const Members& members, bool is_blocking) const {
  const bool are_all = members.size == cell_.system().cells() && is_blocking;
  return {joined_.contains(members.context) && members.size >= small_group_, are_all, are_all};
}

bool CellosGroupOperations::reduces(ElementKind, ElementOperation) const { return true; }

void CellosGroupOperations::join(std::uint32_t context) {
  if (cell_.register_domain(context, cellos::Space::library)) joined_.insert(context);
}

void CellosGroupOperations::leave(std::uint32_t context) {
  if (joined_.erase(context) > 0) cell_.deregister_domain(context, cellos::Space::library);
}

void CellosGroupOperations::broadcast(SendOperation& send, const Members&) {
  send.message = cell_.upcoming_message();
  const Envelope& envelope = send.envelope;
  cell_.broadcast({"dcbroad",
                   cellos::to_all_cells,
                   cellos::Space::library,
                   {envelope.context, envelope.source, envelope.tag},
                   send.data,
                   send.bytes});
  send.complete(Thread::current()->clock());
}

// That there is nothing any more is known only at the thread's time.
bool CellosGroupOperations::must_go_on() const {
  if (outstanding_ == 0) return false;
  Thread::current()->settle();
  return outstanding_ > 0;
}

void CellosGroupOperations::meet(const Members&, Operation& over) {
  if (must_go_on()) return cell_.begin_sync(over);
  cell_.sync("sync");
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
