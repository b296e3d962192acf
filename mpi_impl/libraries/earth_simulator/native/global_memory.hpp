// Of which kind memory is: global (GMEM), which the units of all nodes reach by its address, or local (LMEM) to its
// rank. One for all ranks of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "simulator/engine/units.hpp"

namespace hindcast::earth_simulator {

enum class MemoryKind : std::uint8_t { global, local };

class GlobalMemory {
 public:
  // Of all that nobody has asked for by kind: what compilers and malloc lay out.
  explicit GlobalMemory(MemoryKind by_default) : by_default_(by_default) {}

  void note(const void* memory, Bytes bytes, MemoryKind kind);
  void forget(const void* memory);

  // All of it.
  bool is_global(const void* memory, Bytes bytes) const;

 private:
  struct Area {
    const std::byte* end;
    MemoryKind kind;
  };
  const MemoryKind by_default_;
  std::map<const std::byte*, Area> areas_;  // by where they begin
};

}  // namespace hindcast::earth_simulator
