// For the build with AddressSanitizer only. Before an exception unwinds a stack, instrumented code asks for the red
// zones of the frames to come off to be forgotten. AddressSanitizer's own answer does so on the stacks it knows, which
// those of simulated threads are not, and later frames would then seem to be overrun. So we answer ourselves, for any
// stack: for as far as frames reach, and at worst a little of what lies behind is watched less.
#if defined(__SANITIZE_ADDRESS__)

#include <sanitizer/asan_interface.h>

#include <cstddef>

namespace hindcast {

extern "C" __attribute__((visibility("hidden"), no_sanitize("address"))) void forget_red_zones() __asm__(
    "__asan_handle_no_return");

extern "C" void forget_red_zones() {
  constexpr std::size_t frames_bytes = 256 * 1024;
  __asan_unpoison_memory_region(__builtin_frame_address(0), frames_bytes);
}

}  // namespace hindcast

#endif
