#include "mpi_impl/core/windows/native_atomics.hpp"

#include <cstring>
#include <optional>

namespace hindcast::mpi {

namespace {

bool adds_as_integers_do(const Datatype& type) {
  const auto takes = [&](Reduction reduction) {
    return (*type.reductions)[static_cast<std::size_t>(reduction)] != nullptr;
  };
  return type.reductions != nullptr && takes(Reduction::sum) && takes(Reduction::bxor);
}

// Nothing if memory cannot do it.
std::optional<AtomicOperation> native_operation(const Op& op, const Datatype& type) {
  if (op.handle == MPI_REPLACE) return AtomicOperation::swap;
  if (op.handle == MPI_NO_OP) return AtomicOperation::fetch_add;
  if (op.predefined == Reduction::sum && adds_as_integers_do(type)) return AtomicOperation::fetch_add;
  return std::nullopt;
}

RemoteAccess* memory_of(Process& process, Window& window, const TargetArguments& target) {
  RemoteAccess* machine = remote_access_to(process, window, target.rank);
  const bool is_word = target.type.lies_together(1) && (target.type.size == 4 || target.type.size == 8);
  if (machine == nullptr || !machine->has_atomics() || !is_word) return nullptr;
  const auto at = window.at_targets.find(target.rank);
  const bool is_anything_under_way =
      (at != window.at_targets.end() && at->second.is_unanswered) || window.answers.are_awaited_from(target.rank);
  return is_anything_under_way ? nullptr : machine;
}

std::uint64_t word_of(const void* data, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, data, bytes);
  return word;
}

void perform(Window& window, RemoteAccess& machine, const TargetArguments& target, const AtomicRequest& request,
             void* before) {
  const std::uint64_t word = machine.atomic(window.comm->world_rank(target.rank), memory_at(window, target),
                                            static_cast<int>(target.type.size), request);
  std::memcpy(before, &word, target.type.size);
}

}  // namespace

bool fetch_natively(Process& process, Window& window, const TargetArguments& target, const Op& op, const void* operand,
                    void* before) {
  const auto operation = native_operation(op, target.type);
  RemoteAccess* machine = operation ? memory_of(process, window, target) : nullptr;
  if (machine == nullptr) return false;
  const std::uint64_t word = op.handle != MPI_NO_OP ? word_of(operand, target.type.size) : 0;
  perform(window, *machine, target, {*operation, word}, before);
  return true;
}

bool swap_natively(Process& process, Window& window, const TargetArguments& target, const void* compared,
                   const void* data, void* before) {
  RemoteAccess* machine = memory_of(process, window, target);
  if (machine == nullptr) return false;
  const std::size_t bytes = target.type.size;
  perform(window, *machine, target, {AtomicOperation::compare_swap, word_of(data, bytes), word_of(compared, bytes)},
          before);
  return true;
}

}  // namespace hindcast::mpi
