// Leaving a signal's handler for a function on the stack of the thread that was interrupted.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace hindcast::programs {

// So many bytes below the stack pointer are still the function's own, as the ABI has it.
constexpr std::size_t red_zone = 128;

// The thread goes on in `function`, which does not return. It has no caller: whoever goes through the frames of the
// stack ends there.
inline void go_on_in(ucontext_t& context, void (*function)()) {
  auto& registers = context.uc_mcontext.gregs;
  const auto below = (static_cast<std::uintptr_t>(registers[REG_RSP]) - red_zone) & ~std::uintptr_t{15};
  auto* const caller = reinterpret_cast<void**>(below) - 1;
  *caller = nullptr;
  registers[REG_RSP] = reinterpret_cast<greg_t>(caller);
  registers[REG_RIP] = reinterpret_cast<greg_t>(function);
}

}  // namespace hindcast::programs
