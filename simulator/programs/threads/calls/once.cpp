// What is done once for all threads: pthread_once, and C++'s variables that are initialised when they are first used.
#include <pthread.h>

#include <cstdint>

#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

constexpr int once_untouched = PTHREAD_ONCE_INIT;
constexpr int once_under_way = 1;
constexpr int once_done = 2;

void wait_for_initialiser(ProgramThread& self, const void* address, const char* call, const char* what) {
  Waiter waiter(self);
  self.wait_in(self.threads.waiting_at(address), waiter, PlainWait(self.threads, call, what, address));
}

void let_all_go_on(ProgramThreads& threads, const void* address) {
  WaitQueue& queue = threads.waiting_at(address);
  while (Waiter* const first = queue.first()) grant(*first);
  threads.tidy(address);
}

// A routine that is left by an exception or by a cancelled thread is to be called again.
class OnceUnderWay {
 public:
  OnceUnderWay(ProgramThreads& threads, pthread_once_t& stage) : threads_(threads), stage_(stage) {
    stage_ = once_under_way;
  }
  ~OnceUnderWay() {
    stage_ = is_over ? once_done : once_untouched;
    let_all_go_on(threads_, &stage_);
  }
  OnceUnderWay(const OnceUnderWay&) = delete;
  OnceUnderWay& operator=(const OnceUnderWay&) = delete;

  bool is_over = false;

 private:
  ProgramThreads& threads_;
  pthread_once_t& stage_;
};

// Of the C++ ABI: what the program looks at itself is the first byte, which says that the variable is there.
struct Guard {
  std::uint8_t is_there;
  std::uint8_t is_under_way;
  static Guard& of(std::uint64_t* guard) { return *reinterpret_cast<Guard*>(guard); }
};

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_once(pthread_once_t* stage, void (*routine)()) {
  if (*stage == once_done) return 0;
  ProgramThread& self = ProgramThreads::calling("pthread_once");
  while (*stage == once_under_way) wait_for_initialiser(self, stage, "pthread_once", "routine under way");
  if (*stage == once_done) return 0;
  OnceUnderWay once(self.threads, *stage);
  routine();
  once.is_over = true;
  return 0;
}

int hindcast___cxa_guard_acquire(std::uint64_t* guard) {
  Guard& own = Guard::of(guard);
  if (own.is_there != 0) return 0;
  ProgramThread& self = ProgramThreads::calling("a static variable's initialisation");
  while (own.is_under_way != 0) wait_for_initialiser(self, guard, "a static variable's initialisation", "variable");
  if (own.is_there != 0) return 0;
  own.is_under_way = 1;
  return 1;
}

void hindcast___cxa_guard_release(std::uint64_t* guard) {
  Guard::of(guard) = {1, 0};
  let_all_go_on(ProgramThreads::calling("a static variable's initialisation").threads, guard);
}

void hindcast___cxa_guard_abort(std::uint64_t* guard) {
  Guard::of(guard) = {0, 0};
  let_all_go_on(ProgramThreads::calling("a static variable's initialisation").threads, guard);
}

}  // extern "C"
