// What a thread does in a call and has to give way for, again and again: a coroutine, so that the thread goes on with
// it off its stack where that may be. It is written as if it waited:
//
//   Errand fetch() {
//     co_await settled();                                   // at the thread's clock
//     while (!answer.is_there()) co_await woken(answer);    // once the thread has been woken; what for is read again
//     co_await another_errand();                            // to its end
//   }
//   carry_out(fetch());                                     // on the thread's stack, in a function like any other
//
// Nothing else in it may give way. An errand that was done in no time is `return {};` of a function that is no
// coroutine.
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>

#include "simulator/engine/thread.hpp"
#include "simulator/engine/thread/coroutine.hpp"

namespace hindcast {

class CarryingOut;

class [[nodiscard]] Errand {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type : coroutine::Promise {
    static void* operator new(std::size_t bytes) {
      return coroutine::take_frame(Thread::current()->engine().pool(), bytes);
    }
    static void operator delete(void* frame, std::size_t bytes) { coroutine::give_back_frame(frame, bytes); }

    Errand get_return_object() { return Errand(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }

    CarryingOut* carried_out_by = nullptr;
  };

  Errand() : handle_(nullptr) {}
  Errand(Errand&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Errand& operator=(Errand&&) = delete;
  ~Errand() {
    if (handle_) handle_.destroy();
  }

  bool is_over() const { return !handle_ || handle_.done(); }
  // Fetches what is_over() looks at.
  void fetch() const { fetch_lines(handle_.address(), 0, 1); }

  // By another errand, or by what carries it out. It begins then.
  bool await_ready() const { return is_over(); }
  std::coroutine_handle<> await_suspend(Handle waiting) {
    handle_.promise().waiting = waiting;
    return begin(waiting.promise().carried_out_by);
  }
  void await_resume() const {
    if (handle_) handle_.promise().rethrow();
  }
  Handle begin(CarryingOut* carried_out_by) {
    handle_.promise().carried_out_by = carried_out_by;
    return handle_;
  }

 private:
  explicit Errand(Handle handle) : handle_(handle) {}
  Handle handle_;
};

// Whether it may go on with errands off its stack. Threads that share their rank wait for each other in ways that are
// no errand's.
bool may_carry_out_off_stack(const Thread& thread);

// An errand on its way, on the stack of its thread.
class CarryingOut final : public Continuation {
 public:
  // Where it may not go on off the thread's stack it gives way as any function does.
  CarryingOut(Thread& thread, Errand& errand, bool stays_on_stack);
  void to_end();
  // By a part of it that has to give way: whether it is suspended for that. If not it has given way.
  bool gives_way(std::coroutine_handle<> part, Onward onward, const Fetchable* looked_at);

  Onward go_on() override;
  void fetch(FetchLevel level) const override;

 private:
  Thread& thread_;
  Errand& errand_;
  const bool may_be_suspended_;
  std::coroutine_handle<> next_;
  Onward onward_ = Onward::runs();
  const Fetchable* looked_at_ = nullptr;  // by the part that goes on
};

inline void carry_out(Errand errand, bool stays_on_stack = false) {
  if (!errand.is_over()) CarryingOut(*Thread::current(), errand, stays_on_stack).to_end();
}

// --- what errands wait for ---

class GivingWay {
 public:
  explicit GivingWay(Onward onward, const Fetchable* looked_at = nullptr) : onward_(onward), looked_at_(looked_at) {}
  bool await_ready() const {
    return onward_.what == Onward::What::settle && Thread::current()->clock() <= Thread::current()->engine().now();
  }
  bool await_suspend(Errand::Handle errand) {
    return errand.promise().carried_out_by->gives_way(errand, onward_, looked_at_);
  }
  void await_resume() const {}

 private:
  const Onward onward_;
  const Fetchable* const looked_at_;
};

inline GivingWay settled(const Wait* wait = nullptr) { return GivingWay(Onward::settles(wait)); }
// Waits for the thread's clock, as settled() does, for an errand that looks at this memory when it goes on
// (fetching.hpp), or at none.
inline GivingWay settled_to_look_at(const Fetchable* memory) { return GivingWay(Onward::settles(), memory); }
inline GivingWay woken(const Wait& wait) { return GivingWay(Onward::waits(wait)); }

}  // namespace hindcast
