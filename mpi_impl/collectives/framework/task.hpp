// An algorithm of a collective under way: a coroutine, so that it is written once for blocking and nonblocking calls.
// In a blocking call it runs through, as its rounds wait where they are; in a nonblocking one it is suspended at each
// round that is not over. Its frame comes from the pool of the run.
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>

#include "simulator/engine/thread/coroutine.hpp"

namespace hindcast::mpi {

class Collective;
BufferPool& pool_of(Collective& collective);

class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type : coroutine::Promise {
    template <typename... Arguments>
    static void* operator new(std::size_t bytes, Collective& collective, const Arguments&...) {
      return coroutine::take_frame(pool_of(collective), bytes);
    }
    static void operator delete(void* frame, std::size_t bytes) { coroutine::give_back_frame(frame, bytes); }

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool is_done() const { return handle_.done(); }
  // Of one that is done: throws what it has thrown.
  void get() const { handle_.promise().rethrow(); }

  // By another task, which goes on once this one is done.
  bool await_ready() const { return is_done(); }
  void await_suspend(std::coroutine_handle<> waiting) { handle_.promise().waiting = waiting; }
  void await_resume() const { get(); }

 private:
  explicit Task(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace hindcast::mpi
