#include "simulator/programs/threads/thread_stacks.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace hindcast::programs {

namespace {

constexpr std::size_t stack_granule = 64 * 1024;
constexpr std::size_t stacks_a_block = 16;

}  // namespace

ThreadStacks::~ThreadStacks() {
  for (const Block& block : blocks_) munmap(block.begin, block.bytes);
}

// Nothing of a block takes memory before it is touched. Blocks lie side by side where the system has the room, and are
// one mapping then.
bool ThreadStacks::map_block(std::size_t stack_bytes) {
  const std::size_t stride = guard_bytes + stack_bytes;
  const std::size_t bytes = stride * stacks_a_block;
  void* memory = mmap(nullptr, bytes, protection_of(kind_), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  auto* begin = static_cast<std::byte*>(memory);
  blocks_.push_back({begin, bytes, stack_bytes});
  for (std::size_t i = stacks_a_block; i-- > 0;) {
    std::byte* guard = begin + i * stride;
    if (!install_guard_at(guard, guard_bytes)) continue;
    free_[stack_bytes].push_back(guard + guard_bytes);
  }
  return !free_[stack_bytes].empty();
}

ThreadStacks::Stack ThreadStacks::take(std::size_t bytes) {
  bytes = (bytes + stack_granule - 1) / stack_granule * stack_granule;
  std::vector<std::byte*>& free = free_[bytes];
  if (free.empty() && !map_block(bytes)) return {};
  const Stack stack{free.back(), bytes};
  free.pop_back();
  return stack;
}

// What deep calls have used is given back; the part that every thread uses is kept.
void ThreadStacks::give_back(const Stack& stack) {
  if (stack.bytes > stack_granule) madvise(stack.bottom, stack.bytes - stack_granule, MADV_DONTNEED);
  free_[stack.bytes].push_back(stack.bottom);
}

bool ThreadStacks::is_in_guard(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    if (at < block.begin || at >= block.begin + block.bytes) return false;
    return static_cast<std::size_t>(at - block.begin) % (guard_bytes + block.stack_bytes) < guard_bytes;
  });
}

}  // namespace hindcast::programs
