// Thread-local variables of a program: each simulated thread has a block of its own, made from the program's initial
// values when it is first used. The program's own calls of __tls_get_addr come here.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hindcast::programs {

// What the compiler passes: which image's block, and where in it.
struct ThreadVariableIndex {
  std::uint64_t module;  // of the system's loader, or the address of our ThreadVariables
  std::uint64_t offset;
};

// The thread-local variables of one image of one rank.
class ThreadVariables {
 public:
  ThreadVariables(const std::byte* base, const Elf64_Phdr& segment)
      : initial_(base + segment.p_vaddr), segment_(&segment) {}
  ThreadVariables(const ThreadVariables&) = delete;
  ThreadVariables& operator=(const ThreadVariables&) = delete;

  std::byte* of_current_thread();
  // The thread of this index in its rank has gone: the next one's are as they are in the beginning.
  void forget_thread(int index);

 private:
  struct Free {
    void operator()(std::byte* block) const;
  };
  using Block = std::unique_ptr<std::byte, Free>;
  Block make_block() const;
  std::byte* of_foreign_thread();

  const std::byte* initial_;
  const Elf64_Phdr* segment_;
  Block first_thread_;
  std::vector<Block> other_threads_;
};

void* find_thread_variable(const ThreadVariableIndex* index);

}  // namespace hindcast::programs
