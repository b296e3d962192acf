// Who keeps facts by the addresses of memory is told here what memory is given back, and forgets. Otherwise what holds
// of a new block would hang on whether the allocator puts it where an old one was, which nothing in a run decides.
#pragma once

#include <cstddef>

namespace hindcast {

// On the thread of this computer that made it, which is the simulation's. For as long as it lives it hears of all
// memory that free and realloc give back.
class FreedMemoryListener {
 public:
  FreedMemoryListener();
  FreedMemoryListener(const FreedMemoryListener&) = delete;
  FreedMemoryListener& operator=(const FreedMemoryListener&) = delete;

  virtual void is_free(const void* memory, std::size_t bytes) = 0;

 protected:
  ~FreedMemoryListener();

 private:
  friend void tell_of_freed_memory(const void* memory, std::size_t bytes);
  FreedMemoryListener* next_;
};

void tell_of_freed_memory(const void* memory, std::size_t bytes);

namespace process_wide {
// At a fixed place from the beginning: it is looked at by every free, which what finds a place later would call.
extern constinit thread_local FreedMemoryListener* freed_memory_listeners __attribute__((tls_model("initial-exec")));
}  // namespace process_wide

// By who keeps memory to use it again.
inline void memory_is_free(const void* memory, std::size_t bytes) {
  if (process_wide::freed_memory_listeners != nullptr) [[unlikely]]
    tell_of_freed_memory(memory, bytes);
}

}  // namespace hindcast
