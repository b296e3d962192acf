// free and realloc of the whole process, which tell the simulation what memory is given back (engine/memory/
// freed_memory.hpp). They are the executable's, as only its symbols take the place of libc's in every library and
// program that is loaded later.
#include <malloc.h>

#include <cstddef>
#include <cstdlib>

// Under a sanitizer these are its own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {

// Set by who wants to know.
__attribute__((visibility("default"))) void (*hindcast_on_free)(const void* memory, std::size_t bytes) = nullptr;

void __libc_free(void* memory);
void* __libc_realloc(void* memory, std::size_t bytes);

void free(void* memory) noexcept {
  if (memory != nullptr && hindcast_on_free != nullptr) [[unlikely]]
    hindcast_on_free(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

// Whether the block stays where it is is the allocator's affair, so it counts as another in any case.
void* realloc(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr && hindcast_on_free != nullptr) [[unlikely]]
    hindcast_on_free(memory, malloc_usable_size(memory));
  return __libc_realloc(memory, bytes);
}

}  // extern "C"

#endif
