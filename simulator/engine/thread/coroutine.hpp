// What coroutines have in common that wait for each other, whatever they are about.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>

#include "simulator/engine/memory/buffer_pool.hpp"

namespace hindcast::coroutine {

// A coroutine's frame lies in a pool, which its end gives it back to: a promise has an operator new and an operator
// delete that call these. What is sent and received may lie in a frame.
constexpr std::size_t room_for_pool = 16;  // keeps the frame aligned

inline void* take_frame(BufferPool& pool, std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(pool.take(bytes + room_for_pool));
  *reinterpret_cast<BufferPool**>(memory) = &pool;
  return memory + room_for_pool;
}

inline void give_back_frame(void* frame, std::size_t bytes) {
  std::byte* memory = static_cast<std::byte*>(frame) - room_for_pool;
  (*reinterpret_cast<BufferPool**>(memory))->give_back(memory, bytes + room_for_pool);
}

// Whoever waits for a coroutine goes on after it.
struct Ending {
  bool await_ready() noexcept { return false; }
  template <typename Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
    const std::coroutine_handle<> waiting = ended.promise().waiting;
    return waiting ? waiting : std::noop_coroutine();
  }
  void await_resume() noexcept {}
};

struct Promise {
  Ending final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { error = std::current_exception(); }
  // Of one that is over: throws what it has thrown.
  void rethrow() const {
    if (error != nullptr) [[unlikely]]
      std::rethrow_exception(error);
  }

  std::coroutine_handle<> waiting;
  std::exception_ptr error;
};

}  // namespace hindcast::coroutine
