#include "simulator/engine/memory/freed_memory.hpp"

#include <malloc.h>

#include <cassert>

namespace hindcast {

namespace process_wide {
constinit thread_local FreedMemoryListener* freed_memory_listeners = nullptr;
}

namespace {
// What a listener gives back itself while it is told tells it nothing.
constinit thread_local bool is_telling = false;
}  // namespace

FreedMemoryListener::FreedMemoryListener() : next_(process_wide::freed_memory_listeners) {
  process_wide::freed_memory_listeners = this;
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

// Under a sanitizer these are its own, and a run may hang on the allocator.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// These take the place of the system's for this binary and for every program and library that is loaded into it.
extern "C" {

void __libc_free(void* memory);
void* __libc_realloc(void* memory, std::size_t bytes);

void free(void* memory) noexcept {
  if (memory != nullptr && hindcast::process_wide::freed_memory_listeners != nullptr) [[unlikely]]
    hindcast::tell_of_freed_memory(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

// Whether the block stays where it is is the allocator's affair, so it counts as another in any case.
void* realloc(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr && hindcast::process_wide::freed_memory_listeners != nullptr) [[unlikely]]
    hindcast::tell_of_freed_memory(memory, malloc_usable_size(memory));
  return __libc_realloc(memory, bytes);
}

}  // extern "C"

#endif
