// Where a coroutine's frame lies: in a pool, which the frame's end gives it back to. The coroutine's promise has an
// operator new and an operator delete that call these. What is sent and received may lie in a frame.
#pragma once

#include <cstddef>

#include "simulator/engine/memory/buffer_pool.hpp"

namespace hindcast::pooled_frame {

constexpr std::size_t room_for_pool = 16;  // keeps the frame aligned

inline void* take(BufferPool& pool, std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(pool.take(bytes + room_for_pool));
  *reinterpret_cast<BufferPool**>(memory) = &pool;
  return memory + room_for_pool;
}

inline void give_back(void* frame, std::size_t bytes) {
  std::byte* memory = static_cast<std::byte*>(frame) - room_for_pool;
  (*reinterpret_cast<BufferPool**>(memory))->give_back(memory, bytes + room_for_pool);
}

}  // namespace hindcast::pooled_frame
