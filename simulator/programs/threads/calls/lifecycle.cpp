// Threads are created, joined, cancelled, and end.
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include <cerrno>
#include <cstring>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

class JoinWait final : public SyncWait {
 public:
  JoinWait(ProgramThreads& threads, const char* call, const ProgramThread& other)
      : SyncWait(threads, call, "the end", nullptr), other_(other) {}

 private:
  const ProgramThread* holder() const override { return &other_; }

  const ProgramThread& other_;
};

int join(pthread_t number, void** result, Time until, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  self.act_on_cancel();
  ProgramThread* const other = self.threads.find(number);
  if (other == nullptr) return ESRCH;
  if (other == &self) return EDEADLK;
  if (other->is_detached || other->is_being_joined) return EINVAL;
  if (!other->has_ended) {
    Waiter waiter(self);
    waiter.until = until;
    waiter.can_be_cancelled = true;
    other->is_being_joined = true;
    const bool has_ended = self.wait_in(other->joiners, waiter, JoinWait(self.threads, call, *other));
    other->is_being_joined = false;
    self.act_on_cancel();
    if (!has_ended) return ETIMEDOUT;
  }
  if (result != nullptr) *result = other->result;
  // A thread that has not left its stack yet is forgotten by itself when it has.
  if (other->thread != nullptr && !other->is_main())
    other->is_detached = true;
  else
    self.threads.forget(*other);
  return 0;
}

int create(pthread_t* number, const pthread_attr_t* attributes, ProgramThread::Routine routine, void* argument,
           const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  RunningProgram& program = self.threads.program();
  std::size_t stack_bytes = program.launch().options().stack_bytes;
  void* stack = nullptr;
  int how = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) {
    std::size_t given = 0;
    pthread_attr_getdetachstate(attributes, &how);
    pthread_attr_getstack(attributes, &stack, &given);
    if (given > 0) stack_bytes = given;
    if (reinterpret_cast<std::uintptr_t>(stack) + given == 0) stack = nullptr;  // none is given
  }
  ProgramThread* created = nullptr;
  const bool is_detached = how == PTHREAD_CREATE_DETACHED;
  const int error = self.threads.create(routine, argument, stack_bytes, stack, is_detached, created);
  if (error == 0) *number = created->number;
  self.act_on_cancel_at_once();
  return error;
}

// As C11 has them, threads give an int.
struct StartOfC11 {
  thrd_start_t function;
  void* argument;
};

void* run_as_c11(void* start) {
  const StartOfC11 own = *static_cast<StartOfC11*>(start);
  delete static_cast<StartOfC11*>(start);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(own.function(own.argument)));
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_create(pthread_t* number, const pthread_attr_t* attributes, void* (*routine)(void*),
                            void* argument) {
  return create(number, attributes, routine, argument, "pthread_create");
}

int hindcast_thrd_create(thrd_t* number, thrd_start_t function, void* argument) {
  auto* start = new StartOfC11{function, argument};
  if (create(number, nullptr, run_as_c11, start, "thrd_create") == 0) return thrd_success;
  delete start;
  return thrd_nomem;
}

int hindcast_pthread_join(pthread_t number, void** result) {
  return join(number, result, Time::never(), "pthread_join");
}

int hindcast_thrd_join(thrd_t number, int* result) {
  void* value = nullptr;
  if (join(number, &value, Time::never(), "thrd_join") != 0) return thrd_error;
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return thrd_success;
}

int hindcast_pthread_timedjoin_np(pthread_t number, void** result, const timespec* time) {
  return is_valid_time(*time) ? join(number, result, deadline_of(*time, CLOCK_REALTIME), "pthread_timedjoin_np")
                              : EINVAL;
}

int hindcast_pthread_clockjoin_np(pthread_t number, void** result, clockid_t clock, const timespec* time) {
  if (!is_valid_time(*time) || !has_deadlines(clock)) return EINVAL;
  return join(number, result, deadline_of(*time, clock), "pthread_clockjoin_np");
}

int hindcast_pthread_tryjoin_np(pthread_t number, void** result) {
  ProgramThread& self = ProgramThreads::calling("pthread_tryjoin_np");
  const ProgramThread* other = self.threads.find(number);
  if (other != nullptr && !other->has_ended) {
    self.look_in_vain();
    return EBUSY;
  }
  return join(number, result, Time::never(), "pthread_tryjoin_np");
}

int hindcast_pthread_detach(pthread_t number) {
  ProgramThreads& threads = ProgramThreads::calling("pthread_detach").threads;
  ProgramThread* const other = threads.find(number);
  if (other == nullptr) return ESRCH;
  if (other->is_detached) return EINVAL;
  other->is_detached = true;
  if (other->has_ended && other->thread == nullptr) threads.forget(*other);
  return 0;
}

int hindcast_thrd_detach(thrd_t number) { return hindcast_pthread_detach(number) == 0 ? thrd_success : thrd_error; }

pthread_t hindcast_pthread_self() { return ProgramThreads::calling("pthread_self").number; }

int hindcast_pthread_setcancelstate(int state, int* before) {
  ProgramThread& self = ProgramThreads::calling("pthread_setcancelstate");
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (before != nullptr) *before = self.cancel_is_enabled ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
  self.cancel_is_enabled = state == PTHREAD_CANCEL_ENABLE;
  self.act_on_cancel_at_once();
  return 0;
}

int hindcast_pthread_setcanceltype(int type, int* before) {
  ProgramThread& self = ProgramThreads::calling("pthread_setcanceltype");
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (before != nullptr) *before = self.is_cancelled_at_once ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self.is_cancelled_at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  self.act_on_cancel_at_once();
  return 0;
}

int hindcast_pthread_cancel(pthread_t number) {
  ProgramThread& self = ProgramThreads::calling("pthread_cancel");
  ProgramThread* const other = self.threads.find(number);
  if (other == nullptr) return ESRCH;
  other->cancel_is_pending = true;
  if (other != &self) other->wake();
  self.act_on_cancel_at_once();
  return 0;
}

void hindcast_pthread_testcancel() { ProgramThreads::calling("pthread_testcancel").act_on_cancel(); }

int hindcast_pthread_setname_np(pthread_t number, const char* name) {
  constexpr std::size_t length_max = 15;
  ProgramThread* const thread = ProgramThreads::calling("pthread_setname_np").threads.find(number);
  if (thread == nullptr) return ESRCH;
  if (std::strlen(name) > length_max) return ERANGE;
  thread->name = name;
  return 0;
}

int hindcast_pthread_getname_np(pthread_t number, char* name, std::size_t bytes) {
  const ProgramThread* const thread = ProgramThreads::calling("pthread_getname_np").threads.find(number);
  if (thread == nullptr) return ESRCH;
  if (thread->name.size() >= bytes) return ERANGE;
  std::strcpy(name, thread->name.c_str());
  return 0;
}

int hindcast_pthread_getattr_np(pthread_t number, pthread_attr_t* attributes) {
  ProgramThreads& threads = ProgramThreads::calling("pthread_getattr_np").threads;
  const ProgramThread* const thread = threads.find(number);
  if (thread == nullptr) return ESRCH;
  pthread_attr_init(attributes);
  const StackBounds stack = threads.stack_of(*thread);
  if (stack.bytes > 0) pthread_attr_setstack(attributes, const_cast<void*>(stack.bottom), stack.bytes);
  pthread_attr_setdetachstate(attributes, thread->is_detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return 0;
}

// The simulated system has one policy and one priority.
int hindcast_pthread_getschedparam(pthread_t, int* policy, sched_param* parameters) {
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}
int hindcast_pthread_setschedparam(pthread_t, int policy, const sched_param* parameters) {
  return policy == SCHED_OTHER && parameters->sched_priority == 0 ? 0 : EPERM;
}
int hindcast_pthread_setschedprio(pthread_t, int priority) { return priority == 0 ? 0 : EPERM; }
int hindcast_pthread_getcpuclockid(pthread_t, clockid_t* clock) {
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

// --- for the archive: how a thread leaves its program ---

hindcast_unwinding hindcast_thread_leaves(void* result) {
  ProgramThread& self = ProgramThreads::calling("pthread_exit");
  self.is_leaving = true;
  self.result = result;
  return {&self.cleanups, self.unwinding};
}
hindcast_unwinding hindcast_thread_goes_on_leaving() {
  ProgramThread& self = ProgramThreads::calling("pthread_exit");
  return {&self.cleanups, self.unwinding};
}
void hindcast_thread_has_left() {
  ProgramThread& self = ProgramThreads::calling("pthread_exit");
  if (self.is_main()) self.threads.program().leave_main_thread();
  _longjmp(*self.way_out, 1);
}
void** hindcast_thread_cleanups() { return &ProgramThreads::calling("pthread_cleanup_push").cleanups; }
int hindcast_thread_at_exit(void (*function)(void*), void* argument, const void* object) {
  ProgramThread& self = ProgramThreads::calling("a thread-local variable's destructor");
  self.threads.program().opened_libraries().keep_open(object);
  if (self.is_main()) return 0;
  self.at_exit.push_back({function, argument});
  return 1;
}

}  // extern "C"
