#include "mpi_impl/libraries/cellos/mpi/group_operations.hpp"

#include <cstring>

#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

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
// within a group shares the domain of the whole (keys.hpp).
bool is_domain_of_members(std::uint32_t context) { return (context & 3) == 1; }

}  // namespace

bool CellosGroupOperations::has_host(const Members& members) const {
  return cell_.system().numbers().has_host() && members.first_of_run != Members::none;
}

bool CellosGroupOperations::are_of_beginning(const Members& members) const {
  return members.last_in_run <= cell_.system().numbers().rank_of(cell_.system().cells() - 1);
}

bool CellosGroupOperations::are_all_cells(const Members& members) const {
  return members.size == cell_.system().cells() && !has_host(members) && are_of_beginning(members);
}

bool CellosGroupOperations::are_host_and_cells(const Members& members) const {
  return members.size == cell_.system().cells() + 1 && has_host(members) && are_of_beginning(members);
}

Offers CellosGroupOperations::offers(const Members& members, bool is_blocking) const {
  const bool are_cells = are_all_cells(members), are_all = are_host_and_cells(members);
  const bool has_broadcast = carrier_.where() == ContextIn::header ? is_domain_of_members(members.context) : are_cells;
  return {has_broadcast && members.size >= small_group_, (are_cells || are_all) && is_blocking,
          are_cells && is_blocking, are_all && is_blocking ? host_offer(members.first_of_run) : OwnOffer{}};
}

bool CellosGroupOperations::reduces(ElementKind, ElementOperation) const { return true; }

void CellosGroupOperations::broadcast(SendOperation& send, const Members&) {
  send.message = carrier_.upcoming_message();
  carrier_.broadcast({nullptr, cellos::to_all_cells, carrier_.space(), cellos_key(send.envelope), send.data, send.bytes,
                      nullptr, Bytes(), 0, true, true});
  send.complete(Thread::current()->clock());
}

// That there is nothing any more is known only at the thread's time.
bool CellosGroupOperations::must_go_on() const {
  if (cell_.ring().has_waiting()) [[unlikely]]
    cell_.room_is_wanted();
  if (outstanding_ == 0) return false;
  Thread::current()->settle();
  return outstanding_ > 0;
}

// That of the host and all cells, or that of the cells.
void CellosGroupOperations::meet(const Members& members, Operation& over, std::int32_t* status) {
  const bool with_host = has_host(members);
  if (must_go_on()) {
    if (status != nullptr) return cell_.begin_sync_with_status(with_host, *status, over);
    return with_host ? cell_.begin_sync_with_host(over) : cell_.begin_sync(over);
  }
  if (status != nullptr)
    cell_.sync_with_status(with_host, *status);
  else if (with_host)
    cell_.sync_with_host("hsync");
  else
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

void CellosGroupOperations::distribute(HostDirection direction, HostBlocks& blocks, Operation& over) {
  cellos::DistributedBlock native;
  native.items.first = blocks.data;
  native.items.items = 1;
  native.items.item_bytes = static_cast<decltype(native.items.item_bytes)>(blocks.bytes);
  native.apart = static_cast<std::int64_t>(blocks.bytes);
  native.opposite = &blocks.opposite_bytes;
  const auto native_direction =
      direction == HostDirection::scatter ? cellos::Direction::scatter : cellos::Direction::gather;
  cellos::Distribution& distribution = cell_.system().host().distribution();
  if (must_go_on()) return distribution.begin(cell_, native_direction, native, over);
  distribution.pass(cell_, native_direction, native);
  over.complete(Thread::current()->clock());
}

}  // namespace hindcast::mpi
