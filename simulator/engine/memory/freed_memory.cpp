#include "simulator/engine/memory/freed_memory.hpp"

#include <cassert>

// Beside the free that the process and its programs call; null where they call libc's.
extern "C" __attribute__((weak, visibility("default"))) void (*hindcast_on_free)(const void* memory, std::size_t bytes);

namespace hindcast {

namespace process_wide {
constinit thread_local FreedMemoryListener* freed_memory_listeners = nullptr;
}

namespace {
// What a listener gives back itself while it is told tells it nothing.
constinit thread_local bool is_telling __attribute__((tls_model("initial-exec"))) = false;
}  // namespace

FreedMemoryListener::FreedMemoryListener() : next_(process_wide::freed_memory_listeners) {
  process_wide::freed_memory_listeners = this;
  if (&hindcast_on_free != nullptr) hindcast_on_free = memory_is_free;
}

FreedMemoryListener::~FreedMemoryListener() {
  FreedMemoryListener** place = &process_wide::freed_memory_listeners;
  while (*place != this) {
    assert(*place != nullptr);
    place = &(*place)->next_;
  }
  *place = next_;
}

void tell_of_freed_memory(const void* memory, std::size_t bytes) {
  if (is_telling) return;
  is_telling = true;
  for (FreedMemoryListener* listener = process_wide::freed_memory_listeners; listener != nullptr;
       listener = listener->next_)
    listener->is_free(memory, bytes);
  is_telling = false;
}

}  // namespace hindcast
