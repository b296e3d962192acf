// Memory for payloads and other short-lived blocks: blocks of a size class are used again, the last one first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "simulator/engine/fetching.hpp"
#include "simulator/engine/memory/freed_memory.hpp"

namespace hindcast {

class BufferPool {
 public:
  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  ~BufferPool() {
    for (void* slab : slabs_) std::free(slab);
  }

  // Aligned to a cache line.
  void* take(std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= classes) return allocate(line, bytes);
    if (free_[size_class] == nullptr) add_slab(size_class);
    Block* block = free_[size_class];
    free_[size_class] = block->next;
    return block;
  }

  // So much will be taken soon (simulator/engine/fetching.hpp).
  void fetch(std::size_t bytes) const {
    fetch_lines(free_[class_of(bytes)], 0, static_cast<int>((bytes + line - 1) / line));
  }

  void give_back(void* memory, std::size_t bytes) {
    memory_is_free(memory, bytes);
    give_back_record(memory, bytes);
  }
  // The same of what was never data that a program or a library has sent or received.
  void give_back_record(void* memory, std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= classes) return std::free(memory);
    put_back(memory, size_class);
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr std::size_t line = 64;
  static constexpr std::size_t slab_bytes = 16 * 1024;
  static constexpr std::size_t classes = 12;  // up to 128 KiB; larger blocks are the allocator's

  static std::size_t class_of(std::size_t bytes) {
    return bytes <= line ? 0 : static_cast<std::size_t>(std::bit_width((bytes - 1) / line));
  }

  static void* allocate(std::size_t alignment, std::size_t bytes) {
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  void add_slab(std::size_t size_class) {
    const std::size_t block_bytes = line << size_class;
    const std::size_t blocks = block_bytes < slab_bytes ? slab_bytes / block_bytes : 1;
    char* slab = static_cast<char*>(allocate(line, blocks * block_bytes));
    slabs_.push_back(slab);
    for (std::size_t i = blocks; i > 0; --i) put_back(slab + (i - 1) * block_bytes, size_class);
  }

  void put_back(void* memory, std::size_t size_class) {
    auto* block = static_cast<Block*>(memory);
    block->next = free_[size_class];
    free_[size_class] = block;
  }

  Block* free_[classes] = {};
  std::vector<void*> slabs_;
};

}  // namespace hindcast
