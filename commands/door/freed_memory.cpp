// free, realloc and calloc of the whole process. The first two tell the simulation what memory is given back
// (engine/memory/freed_memory.hpp), the last gives a stack that the simulation has chosen (given_stack.hpp). They are
// the executable's, as only its symbols take the place of libc's in every library and program that is loaded later.
#include <malloc.h>

#include <cstddef>
#include <cstdlib>

// Under a sanitizer these are its own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {

// Set by who wants to know.
__attribute__((visibility("default"))) void (*hindcast_on_free)(const void* memory, std::size_t bytes) = nullptr;

// What calloc gives next if it is asked for just so many bytes; 0: nothing.
__attribute__((visibility("default"))) void* hindcast_given_memory = nullptr;
__attribute__((visibility("default"))) std::size_t hindcast_given_bytes = 0;

void __libc_free(void* memory);
void* __libc_calloc(std::size_t items, std::size_t bytes);
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

void* calloc(std::size_t items, std::size_t bytes) noexcept {
  if (hindcast_given_bytes != 0 && items * bytes == hindcast_given_bytes) [[unlikely]] {
    hindcast_given_bytes = 0;
    return hindcast_given_memory;
  }
  return __libc_calloc(items, bytes);
}

}  // extern "C"

#endif
