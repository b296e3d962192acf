// AddressSanitizer has to know on which stack a function runs: it looks for what is left of frames when they are jumped
// or thrown out of. Without it these functions do nothing.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace hindcast::programs {

struct StackBounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

#ifdef __SANITIZE_ADDRESS__
constexpr bool has_stack_sanitizer = true;
#else
constexpr bool has_stack_sanitizer = false;
#endif

// Returns the bounds that held until now.
inline StackBounds tell_sanitizer_stack([[maybe_unused]] const StackBounds& bounds) {
  StackBounds before;
#ifdef __SANITIZE_ADDRESS__
  void* state = nullptr;
  __sanitizer_start_switch_fiber(&state, bounds.bottom, bounds.bytes);
  __sanitizer_finish_switch_fiber(state, &before.bottom, &before.bytes);
#endif
  return before;
}

// Its frames are given up, and it is used anew.
inline void tell_sanitizer_frames_are_gone([[maybe_unused]] const StackBounds& bounds) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(bounds.bottom, bounds.bytes);
#endif
}

}  // namespace hindcast::programs
