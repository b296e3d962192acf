// Memory for payloads and other short-lived blocks: blocks of a size class are used again, the last one first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace hindcast {

class BufferPool {
 public:
  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  ~BufferPool() {
    for (Block*& first : free_)
      while (first != nullptr) {
        Block* next = first->next;
        std::free(first);
        first = next;
      }
  }

  void* take(std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class < classes && free_[size_class] != nullptr) {
      Block* block = free_[size_class];
      free_[size_class] = block->next;
      return block;
    }
    void* block = std::malloc(size_class < classes ? smallest << size_class : bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }

  void give_back(void* memory, std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= classes) return std::free(memory);
    auto* block = static_cast<Block*>(memory);
    block->next = free_[size_class];
    free_[size_class] = block;
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr std::size_t smallest = 64;
  static constexpr std::size_t classes = 12;  // up to 128 KiB; larger blocks are the allocator's

  static std::size_t class_of(std::size_t bytes) {
    return bytes <= smallest ? 0 : static_cast<std::size_t>(std::bit_width((bytes - 1) / smallest));
  }

  Block* free_[classes] = {};
};

}  // namespace hindcast
