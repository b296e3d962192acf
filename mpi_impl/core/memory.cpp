#include "mpi_impl/core/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/transport/memory_kinds.hpp"

namespace hindcast::mpi {

std::size_t alignment_wanted(const Hints& hints) {
  const std::string* const value = hints.find(alignment_hint);
  if (value == nullptr) return usual_alignment;
  std::size_t wanted = 0;
  const char* const end = value->data() + value->size();
  const auto [stopped, wrong] = std::from_chars(value->data(), end, wanted);
  if (wrong != std::errc{} || stopped != end || !std::has_single_bit(wanted)) return usual_alignment;
  return std::max(wanted, usual_alignment);
}

OwnMemory get_memory(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = std::max((bytes + alignment - 1) / alignment * alignment, alignment);
  void* memory = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (memory == nullptr)
    throw Error{MPI_ERR_NO_MEM, fmt::format("argument 1 (size): there are no {} bytes of memory to be had", bytes)};
  return OwnMemory(static_cast<std::byte*>(memory));
}

void note_kind_of_memory(Process& process, const void* memory, std::size_t bytes, const Info* info) {
  MemoryKinds* const has = process.endpoint().memory_kinds();
  const std::string* const wanted = has != nullptr && info != nullptr ? info->hints.find(has->info_key()) : nullptr;
  if (wanted == nullptr) return;
  const std::vector<std::string>& kinds = has->kinds();
  const auto kind = std::ranges::find(kinds, *wanted);
  if (kind == kinds.end())
    throw Error{MPI_ERR_INFO_VALUE,
                fmt::format("the info object's key '{}' is '{}'; this machine has memory of the kinds {}",
                            has->info_key(), *wanted, fmt::join(kinds, ", "))};
  has->note(memory, Bytes(bytes), static_cast<std::size_t>(kind - kinds.begin()));
}

void forget_kind_of_memory(Process& process, const void* memory) {
  if (MemoryKinds* const has = process.endpoint().memory_kinds()) has->forget(memory);
}

}  // namespace hindcast::mpi
