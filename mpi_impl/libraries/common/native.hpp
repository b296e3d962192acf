// What a rank's `native` points to: its parts of the machine's own libraries, whichever these are. Libraries that run
// beside each other have a part each.
#pragma once

#include "simulator/engine/rank.hpp"

namespace hindcast {

// The base of such parts: Cell, say, derives from NativePart<Cell>.
struct Native {
  explicit Native(const void* of_kind) : kind(of_kind) {}
  const void* const kind;  // the same for all parts of one class, and no other's
  Native* next = nullptr;  // of the same rank's
};

// A part is the rank's from now on, or no longer.
void attach(Rank& rank, Native& part);
void detach(Rank& rank, Native& part);

template <typename Part>
struct NativePart : Native {
  NativePart() : Native(&its_address_is_the_kind) {}
  static constexpr char its_address_is_the_kind = 0;
};

// Null: the rank's machine has no such library.
template <typename Part>
Part* native_part(const Rank& rank) {
  auto* native = static_cast<Native*>(rank.native);
  while (native != nullptr && native->kind != &NativePart<Part>::its_address_is_the_kind) native = native->next;
  return static_cast<Part*>(native);
}

}  // namespace hindcast
