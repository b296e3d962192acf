#include "mpi_impl/core/windows/turn_at_target.hpp"

#include <vector>

#include "mpi_impl/core/windows/packets/target_data.hpp"

namespace hindcast::mpi {

namespace {

// In a shared window all are at the memory at once, and each operation is done at one instant.
bool are_turns_taken(Process& process, const Window& window) {
  RemoteAccess* const machine = process.endpoint().remote_access();
  return machine != nullptr && machine->combines_from_afar() && window.flavor != MPI_WIN_FLAVOR_SHARED;
}

WindowWait wait_at(Process& process, Window& window, int target, const char* what_for) {
  return {process, window, what_for, [target] { return std::vector<int>{target}; }};
}

void pass_when_over(Process& process, Completion& over, const Wait& why) {
  Gate gate(*Thread::current());
  gate.add(over);
  mpi::wait(process, gate, why);
  wait_until(process, over.at(), why);
}

}  // namespace

TurnAtTarget::TurnAtTarget(Process& process, Window& window, int target)
    : process_(process), window_(window), target_(target), is_taken_(are_turns_taken(process, window)) {
  if (!is_taken_) return;
  Packet packet{PacketKind::take_turn};
  packet.is_exclusive = true;
  Answer granted;  // none of the window's, as another thread that has its turn must not wait for it
  granted.target = target;
  packet.answer = &granted;
  deliver(process, window, target, packet, nullptr);
  pass_when_over(process, granted.come, wait_at(process, window, target, "for its turn to combine"));
}

TurnAtTarget::~TurnAtTarget() {
  if (!is_taken_) return;
  flush(process_, window_, target_);
  Packet packet{PacketKind::leave_turn};
  deliver(process_, window_, target_, packet, nullptr);
}

bool TurnAtTarget::combine_from_afar(const TargetArguments& target, const Packet& packet, const void* operand,
                                     Answer* answer) {
  RemoteAccess* const machine = is_taken_ ? remote_access_to(process_, window_, target.rank) : nullptr;
  const Bytes bytes(packet.target_bytes);
  if (machine == nullptr || !packet.lies_together || bytes == Bytes()) return false;
  if (!machine->moves(packet.address, packet.address, bytes)) return false;
  const int world_rank = window_.comm->world_rank(target.rank);
  std::vector<std::byte> here(packet.target_bytes);
  Completion got, put;
  machine->get(world_rank, here.data(), packet.address, bytes, got);
  pass_when_over(process_, got, wait_at(process_, window_, target.rank, "for what is to be combined"));
  if (answer != nullptr) land(*answer, here.data(), here.size(), Thread::current()->clock());
  Packet combined = packet;
  combined.address = here.data();
  process_.endpoint().local().spend_combine(elements_combined(combined), arithmetic_of(combined));
  combine_with_target(combined, static_cast<const std::byte*>(operand));
  machine->put(world_rank, packet.address, here.data(), bytes, put);
  pass_when_over(process_, put, wait_at(process_, window_, target.rank, "for what has been combined to be there"));
  return true;
}

}  // namespace hindcast::mpi
