// What a rank's `native` points to: its part of the machine's own library, whichever that is.
#pragma once

#include "simulator/engine/rank.hpp"

namespace hindcast {

enum class NativeLibrary : std::uint8_t { cellos, shmem };

struct Native {
  explicit Native(NativeLibrary which) : library(which) {}
  const NativeLibrary library;
};

// Null: the rank's machine has another library, or none.
template <typename Part>
Part* native_part(const Rank& rank) {
  auto* native = static_cast<Native*>(rank.native);
  return native != nullptr && native->library == Part::native_library ? static_cast<Part*>(native) : nullptr;
}

}  // namespace hindcast
