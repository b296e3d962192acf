#include "simulator/programs/this_computer/large_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace hindcast::programs {

// The heap keeps what it has grown by (prepare_process), and the system gives a page when it is first written to.
void grow_heap_in_large_pages(std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto end_of_heap = [&] { return reinterpret_cast<std::uintptr_t>(sbrk(0)) / page * page; };
  const std::uintptr_t begin = end_of_heap();
  void* volatile block = std::malloc(bytes);  // volatile: or the compiler leaves both calls out
  std::free(block);
  const std::uintptr_t end = end_of_heap();
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace hindcast::programs
