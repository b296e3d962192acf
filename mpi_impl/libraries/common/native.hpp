// What a rank's `native` points to: its part of the machine's own library, whichever that is.
#pragma once

#include "simulator/engine/rank.hpp"

namespace hindcast {

// The base of such parts: Cell, say, derives from NativePart<Cell>.
struct Native {
  explicit Native(const void* of_kind) : kind(of_kind) {}
  const void* const kind;  // the same for all parts of one class, and no other's
};

template <typename Part>
struct NativePart : Native {
  NativePart() : Native(&its_address_is_the_kind) {}
  static constexpr char its_address_is_the_kind = 0;
};

// Null: the rank's machine has another library, or none.
template <typename Part>
Part* native_part(const Rank& rank) {
  auto* native = static_cast<Native*>(rank.native);
  const bool is_of_this_kind = native != nullptr && native->kind == &NativePart<Part>::its_address_is_the_kind;
  return is_of_this_kind ? static_cast<Part*>(native) : nullptr;
}

}  // namespace hindcast
