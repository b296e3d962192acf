// Threads that wait for one thing, and are woken together.
#pragma once

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
  // By a handler. Each looks again at what it waits for.
  void wake() {
    for (Thread* thread : threads_) thread->wake();
  }

 private:
  // The calling thread, as long as this lasts.
  class Among {
   public:
    explicit Among(WaitingThreads& all) : all_(all) { all_.threads_.push_back(Thread::current()); }
    ~Among() { std::erase(all_.threads_, Thread::current()); }
    Among(const Among&) = delete;
    Among& operator=(const Among&) = delete;

   private:
    WaitingThreads& all_;
  };

  std::vector<Thread*> threads_;
};

}  // namespace hindcast
