// A program's mutex, in the memory of its pthread_mutex_t. Who asks for one that is taken gets it in turn: it is handed
// over when it is unlocked, so that a thread that locks it again at once waits behind the others.
#pragma once

#include <pthread.h>

#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

struct Mutex {
  ProgramThread::Number owner;  // 0: nobody
  std::uint32_t depth;          // beyond the first, of a recursive one
  enum class Health : std::uint32_t { sound, owner_has_died, lost } health;
  std::uint32_t is_robust;
  std::int32_t kind;  // where PTHREAD_MUTEX_INITIALIZER and its kin have it
  std::int32_t ceiling;
  WaitQueue waiters;

  static Mutex& of(pthread_mutex_t* mutex) { return *reinterpret_cast<Mutex*>(mutex); }
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t) &&
              offsetof(Mutex, kind) == offsetof(pthread_mutex_t, __data.__kind));

// These return 0 or an error's number, as POSIX has them.
int lock(Mutex& mutex, ProgramThread& self, void* caller, const char* call, Time until = Time::never());
int try_to_lock(Mutex& mutex, ProgramThread& self, void* caller);
int unlock(Mutex& mutex, ProgramThread& self);

// Whoever has it, a thread of this program: somebody else, or nobody.
void hand_over(Mutex& mutex);
// For the waiter, which waits for something else so far and will go on with the mutex.
void queue_for(Mutex& mutex, Waiter& waiter);
// By a thread that has got it while it waited.
int take_over(Mutex& mutex, ProgramThread& self, void* caller);
const ProgramThread* holder_of(const Mutex& mutex, ProgramThreads& threads);

// By a thread that ends: robust ones go to others with the news.
void abandon_mutexes(ProgramThread& thread);

}  // namespace hindcast::programs
