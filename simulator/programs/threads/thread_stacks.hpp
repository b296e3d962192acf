// Memory for the stacks of threads that a program starts, each above a guard. What a thread leaves the next one takes.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "simulator/programs/load/arena.hpp"

namespace hindcast::programs {

class ThreadStacks {
 public:
  struct Stack {
    std::byte* bottom = nullptr;
    std::size_t bytes = 0;
    std::byte* top() const { return bottom + bytes; }
  };

  explicit ThreadStacks(StackKind kind) : kind_(kind) {}
  ~ThreadStacks();
  ThreadStacks(const ThreadStacks&) = delete;
  ThreadStacks& operator=(const ThreadStacks&) = delete;

  // Of so many bytes at least; empty if there is no memory for it.
  Stack take(std::size_t bytes);
  void give_back(const Stack& stack);
  bool is_in_guard(const void* address) const;

 private:
  static constexpr std::size_t guard_bytes = 64 * 1024;

  struct Block {  // several stacks of one size, in one mapping
    std::byte* begin;
    std::size_t bytes;
    std::size_t stack_bytes;
  };
  bool map_block(std::size_t stack_bytes);

  const StackKind kind_;
  std::vector<Block> blocks_;
  std::map<std::size_t, std::vector<std::byte*>> free_;  // by size: where the stacks begin
};

}  // namespace hindcast::programs
