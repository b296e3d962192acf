// Threads that wait for one thing, and are woken together.
#pragma once

#include <algorithm>
#include <vector>

#include "simulator/engine/thread.hpp"

namespace hindcast {

class WaitingThreads {
 public:
  // By the thread: in a call that looks at arrivals, or in one that does not.
  void wait(const Wait& why) {
    const Among among(*this);
    Thread::current()->wait(why);
  }
  void wait_without_polling(const Wait& why) {
    const Among among(*this);
    Thread::current()->wait_without_polling(why);
  }
  // One that is to be woken too, wherever it waits, until it is removed as often as it was added.
  void add(Thread& thread) { threads_.push_back(&thread); }
  void remove(const Thread& thread) { threads_.erase(std::find(threads_.begin(), threads_.end(), &thread)); }
  // By a handler. Each looks again at what it waits for.
  void wake() {
    for (Thread* thread : threads_) thread->wake();
  }

 private:
  // The calling thread, as long as this lasts.
  class Among {
   public:
    explicit Among(WaitingThreads& all) : all_(all) { all_.add(*Thread::current()); }
    ~Among() { all_.remove(*Thread::current()); }
    Among(const Among&) = delete;
    Among& operator=(const Among&) = delete;

   private:
    WaitingThreads& all_;
  };

  std::vector<Thread*> threads_;
};

}  // namespace hindcast
