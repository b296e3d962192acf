#include "simulator/engine/memory/given_stack.hpp"

// In the executable; null in one that has no calloc of its own.
extern "C" {
__attribute__((weak, visibility("default"))) extern void* hindcast_given_memory;
__attribute__((weak, visibility("default"))) extern std::size_t hindcast_given_bytes;
}

namespace hindcast {

bool GivenStack::is_possible() { return &hindcast_given_bytes != nullptr; }

GivenStack::GivenStack(const StackMemory& stack) {
  hindcast_given_memory = stack.bottom;
  hindcast_given_bytes = stack.bytes;
}

GivenStack::~GivenStack() { hindcast_given_bytes = 0; }

}  // namespace hindcast
