// A thread of a program: what the program's calls know of it. The engine's Thread is what it runs as.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/threads/pending_signals.hpp"
#include "simulator/programs/threads/thread_stacks.hpp"
#include "simulator/programs/threads/wait_queue.hpp"

namespace hindcast::programs {

class ProgramThreads;

class ProgramThread {
 public:
  using Number = std::uint32_t;  // of a rank's threads from 1 on, which is the main one; never used again
  using Routine = void* (*)(void*);
  using SignalSet = PendingSignals::Set;

  // A mutex or the like that the thread has, and where the program took it.
  struct Held {
    const void* lock;
    void* taken_at;
    bool is_robust_mutex;
  };
  struct AtExit {
    void (*function)(void*);
    void* argument;
  };
  struct Value {  // of a key
    const void* value = nullptr;
    std::uint32_t generation = 0;
  };

  ProgramThread(ProgramThreads& all, Number its_number) : threads(all), number(its_number) {}
  ProgramThread(const ProgramThread&) = delete;
  ProgramThread& operator=(const ProgramThread&) = delete;

  bool is_main() const { return number == 1; }
  // As gettid tells it: the main thread's is its process's.
  long system_number() const;

  // Waits in the queue until somebody takes the waiter out of it and grants it what it waits for; true then. False: its
  // time is over, a signal has ended the wait, or the thread is to be cancelled, and it is in no queue any more.
  bool wait_in(WaitQueue& queue, Waiter& self, const Wait& why);
  // By another thread: it looks again whether it is to go on.
  void wake();
  // What a look at something costs that has been in vain, so that a loop of them takes time.
  void look_in_vain();

  bool must_cancel() const { return cancel_is_pending && cancel_is_enabled && !is_leaving; }
  // At a cancellation point, or where a thread that is cancelled at once goes on: does not return if it has been.
  void act_on_cancel();
  void act_on_cancel_at_once() {
    if (is_cancelled_at_once) [[unlikely]]
      act_on_cancel();
  }

  // Signals that it is to handle, or that it waits for.
  SignalSet signals_due() const;
  // What has been handled has this effect on a call, if several then the strongest (hindcast_signal_effect).
  int handle_signals();
  int handle_one_signal(std::optional<SignalSet> blocked_after = std::nullopt);
  // Meanwhile, for a call that is given a mask. Gives the one before.
  SignalSet block_only(const sigset_t& signals);
  void block_again(SignalSet before);

  void hold(const void* lock, void* taken_at, bool is_robust_mutex = false) {
    held.push_back({lock, taken_at, is_robust_mutex});
  }
  void let_go(const void* lock);
  // By a thread that has taken a lock which was free. Many in a row, without any time passing, are taken to be a loop
  // that looks for what others would set: it lets them run.
  void count_take() {
    if (++takes_in_a_row == takes_in_a_row_max) [[unlikely]]
      let_others_run();
  }

  ProgramThreads& threads;
  const Number number;
  Thread* thread = nullptr;  // null before it has begun, and when it has ended
  int index = 0;             // of that one in its rank, as reports name it
  Routine routine = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  ThreadStacks::Stack stack;  // none of the main thread's, nor where the program has given one
  void* stack_top = nullptr;
  std::size_t stack_bytes = 0;
  jmp_buf* way_out = nullptr;
  void* cleanups = nullptr;  // of pthread_cleanup_push: the last of a list in the program's memory

  bool is_detached = false;
  bool has_ended = false;
  bool is_forgotten = false;
  bool is_leaving = false;
  bool is_being_joined = false;
  bool cancel_is_pending = false;
  bool cancel_is_enabled = true;
  bool is_cancelled_at_once = false;  // wherever it is, not only where it waits
  WaitQueue joiners{};

  SignalSet signals_blocked = 0;
  PendingSignals signals_pending;  // its own
  // In a call that is given a mask: what a handler that ends it finds blocked before, and leaves blocked.
  std::optional<SignalSet> blocked_after_call;
  SignalSet signals_awaited = 0;  // by sigwait and the like, while it is in them

  std::vector<Held> held;
  std::vector<AtExit> at_exit;  // destructors of thread-local variables
  std::vector<Value> values;    // by key
  std::string name;
  void* openmp = nullptr;  // its place in OpenMP's team, and the team that it is in outside of all others
  std::shared_ptr<void> openmp_alone;
  alignas(16) std::uint64_t unwinding[8] = {};  // a _Unwind_Exception

 private:
  static constexpr int takes_in_a_row_max = 1024;
  void let_others_run();

  int takes_in_a_row = 0;
  Time clock_at_takes;  // when as many had been counted
};

// By another thread: the waiter, the first of its queue or any, has what it waits for.
void grant(Waiter& waiter);

}  // namespace hindcast::programs
