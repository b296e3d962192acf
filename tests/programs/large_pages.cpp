#include "simulator/programs/this_computer/large_pages.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace hindcast::programs {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose malloc has no heap that grows

// Whether the system has been asked for large pages where an address lies ("hg" among the flags of its mapping).
bool are_large_pages_wanted_at(const void* address) {
  std::ifstream mappings("/proc/self/smaps");
  bool is_in_mapping = false;
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') is_in_mapping = begin <= at && at < end;
    if (is_in_mapping && line.starts_with("VmFlags:")) return (line + " ").find(" hg ") != std::string::npos;
  }
  return false;
}

TEST(LargePages, AreWantedForWhatIsAllocatedNext) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) GTEST_SKIP() << "the system has none";
  mallopt(M_MMAP_MAX, 0);  // as prepare_process does both
  mallopt(M_TRIM_THRESHOLD, -1);
  constexpr std::size_t bytes = 8 * 1024 * 1024;
  grow_heap_in_large_pages(bytes);
  auto* const next = static_cast<std::byte*>(std::malloc(bytes / 2));
  EXPECT_TRUE(are_large_pages_wanted_at(next + bytes / 4));  // it may begin in what the heap had left before
  std::free(next);
  EXPECT_FALSE(are_large_pages_wanted_at(&next));  // a stack is not the heap
}

#endif

}  // namespace
}  // namespace hindcast::programs
