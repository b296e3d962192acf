#include "mpi_impl/libraries/earth_simulator/native/global_memory.hpp"

#include <iterator>

namespace hindcast::earth_simulator {

void GlobalMemory::note(const void* memory, Bytes bytes, MemoryKind kind) {
  const auto* begin = static_cast<const std::byte*>(memory);
  areas_[begin] = {begin + bytes.count(), kind};
}

void GlobalMemory::forget(const void* memory) { areas_.erase(static_cast<const std::byte*>(memory)); }

bool GlobalMemory::is_global(const void* memory, Bytes bytes) const {
  const auto* begin = static_cast<const std::byte*>(memory);
  const auto behind = areas_.upper_bound(begin);
  if (behind == areas_.begin()) return by_default_ == MemoryKind::global;
  const Area& area = std::prev(behind)->second;
  if (begin >= area.end) return by_default_ == MemoryKind::global;
  return area.kind == MemoryKind::global && bytes.count() <= static_cast<std::uint64_t>(area.end - begin);
}

}  // namespace hindcast::earth_simulator
