// free, realloc, munmap and calloc of the whole process. The first three tell the simulation what memory is given back
// (engine/memory/freed_memory.hpp), the last gives a stack that the simulation has chosen (given_stack.hpp). The
// executable has them, as its symbols take the place of libc's in every library that is loaded later, and libhindcast
// has them, as a program under simulation is bound to what it is linked with before it is to the executable
// (programs/load/loader.cpp). The variables are the executable's for both.
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

// Under a sanitizer these are its own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#pragma GCC visibility push(default)
extern "C" {

// Set by who wants to know.
void (*hindcast_on_free)(const void* memory, std::size_t bytes) = nullptr;

// What calloc gives next if it is asked for just so many bytes; 0: nothing.
void* hindcast_given_memory = nullptr;
std::size_t hindcast_given_bytes = 0;

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

int munmap(void* memory, std::size_t bytes) noexcept {
  if (hindcast_on_free != nullptr) [[unlikely]]
    hindcast_on_free(memory, bytes);
  return static_cast<int>(syscall(SYS_munmap, memory, bytes));
}

void* calloc(std::size_t items, std::size_t bytes) noexcept {
  if (hindcast_given_bytes != 0 && items * bytes == hindcast_given_bytes) [[unlikely]] {
    hindcast_given_bytes = 0;
    return hindcast_given_memory;
  }
  return __libc_calloc(items, bytes);
}

}  // extern "C"
#pragma GCC visibility pop

#endif
