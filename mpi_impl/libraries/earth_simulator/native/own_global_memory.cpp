#include "mpi_impl/libraries/earth_simulator/native/own_global_memory.hpp"

#include <algorithm>

namespace hindcast::earth_simulator {

void OwnGlobalMemory::allocated(const void* memory, Bytes bytes) {
  const auto* begin = static_cast<const std::byte*>(memory);
  allocated_[begin] = begin + bytes.count();
}

bool OwnGlobalMemory::freed(const void* memory) {
  const auto found = allocated_.find(static_cast<const std::byte*>(memory));
  if (found == allocated_.end()) return false;
  const auto [begin, end] = *found;
  allocated_.erase(found);
  forget(begin, Bytes(static_cast<std::uint64_t>(end - begin)));
  return true;
}

void OwnGlobalMemory::forget(const void* memory, Bytes bytes) {
  const auto* begin = static_cast<const std::byte*>(memory);
  told_.erase(told_.lower_bound(begin), told_.lower_bound(begin + bytes.count()));
}

void OwnGlobalMemory::tell(const void* memory, Bytes bytes) {
  const auto* begin = static_cast<const std::byte*>(memory);
  const std::byte*& end = told_[begin];
  end = std::max(end, begin + bytes.count());
}

bool OwnGlobalMemory::is_told(const void* memory, Bytes bytes) const {
  const auto* begin = static_cast<const std::byte*>(memory);
  for (auto behind = told_.upper_bound(begin); behind != told_.begin();) {
    const std::byte* const end = (--behind)->second;
    if (begin <= end && bytes.count() <= static_cast<std::uint64_t>(end - begin)) return true;
  }
  return false;
}

}  // namespace hindcast::earth_simulator
