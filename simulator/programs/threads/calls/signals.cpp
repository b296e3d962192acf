// Signals that threads of a rank send each other, block and wait for. One that another sends is handled where the
// thread waits for something of the program's, or sleeps; it goes on waiting after that.
#include <csignal>

#include <bit>
#include <cerrno>
#include <utility>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

using SignalSet = ProgramThread::SignalSet;

SignalSet bit_of(int signal) { return SignalSet{1} << (signal - 1); }
int lowest_of(SignalSet signals) { return std::countr_zero(signals) + 1; }

// libc's set begins with the signals that there are.
SignalSet set_of(const sigset_t& signals) { return signals.__val[0]; }
void write_set(sigset_t& signals, SignalSet set) {
  sigemptyset(&signals);
  signals.__val[0] = set;
}

bool is_signal(int signal) { return signal > 0 && signal < NSIG; }

// What cannot be blocked is left out.
SignalSet blockable(SignalSet set) { return set & ~(bit_of(SIGKILL) | bit_of(SIGSTOP)); }

void send(ProgramThread& to, int signal) {
  to.signals_pending |= bit_of(signal);
  to.wake();
}

// One of them that has been sent: it is pending no more.
int take(ProgramThread& self, SignalSet wanted) {
  const SignalSet own = self.signals_pending & wanted;
  SignalSet& pending = own != 0 ? self.signals_pending : self.threads.signals_pending;
  if ((pending & wanted) == 0) return 0;
  const int signal = lowest_of(pending & wanted);
  pending &= ~bit_of(signal);
  return signal;
}

void wait_for(ProgramThread& self, SignalSet wanted, Time until, const char* call) {
  self.act_on_cancel();
  WaitQueue nobody_wakes_it{};
  Waiter waiter(self);
  waiter.until = until;
  waiter.can_be_cancelled = true;
  self.signals_awaited = wanted;
  self.wait_in(nobody_wakes_it, waiter, PlainWait(self.threads, call, "a signal"));
  self.signals_awaited = 0;
  self.act_on_cancel();
}

int take_or_wait(ProgramThread& self, const sigset_t& set, Time until, const char* call) {
  const SignalSet wanted = set_of(set);
  if (const int signal = take(self, wanted)) return signal;
  wait_for(self, wanted, until, call);
  return take(self, wanted);
}

int set_mask(int how, const sigset_t* set, sigset_t* before) {
  ProgramThread& self = ProgramThreads::calling("pthread_sigmask");
  const SignalSet old = self.signals_blocked;
  if (set != nullptr) {
    const SignalSet given = blockable(set_of(*set));
    if (how == SIG_BLOCK)
      self.signals_blocked |= given;
    else if (how == SIG_UNBLOCK)
      self.signals_blocked &= ~given;
    else if (how == SIG_SETMASK)
      self.signals_blocked = given;
    else
      return EINVAL;
  }
  if (before != nullptr) write_set(*before, old);
  if (self.signals_due() != 0) self.handle_signals();
  return 0;
}

// With this mask, until a signal has been handled.
int wait_with_mask(SignalSet mask, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  const SignalSet before = std::exchange(self.signals_blocked, mask);
  if (self.signals_due() == 0) wait_for(self, ~mask, Time::never(), call);
  self.handle_signals();
  self.signals_blocked = before;
  errno = EINTR;
  return -1;
}

}  // namespace

SignalSet ProgramThread::signals_due() const {
  const SignalSet wanted = signals_awaited != 0 ? signals_awaited : ~signals_blocked;
  return (signals_pending | threads.signals_pending) & wanted;
}

void ProgramThread::handle_signals() {
  while (const int signal = take(*this, ~signals_blocked)) threads.program().entry_points().raise_signal(signal);
}

ProgramThread* ProgramThreads::taker_of(int signal) {
  ProgramThread* taker = nullptr;
  for (const auto& thread : all_) {
    if (thread == nullptr || thread->has_ended) continue;
    if ((thread->signals_awaited & bit_of(signal)) != 0) return thread.get();
    if (taker == nullptr && (thread->signals_blocked & bit_of(signal)) == 0) taker = thread.get();
  }
  return taker;
}

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

int hindcast_rank_puts_off_signal(int signal, int is_for_any_thread) {
  ProgramThread& self = ProgramThreads::calling("raise");
  const bool is_blocked = (self.signals_blocked & bit_of(signal)) != 0;
  if (!is_blocked) return 0;
  ProgramThread* const taker = is_for_any_thread != 0 ? self.threads.taker_of(signal) : &self;
  if (taker != nullptr)
    send(*taker, signal);
  else
    self.threads.signals_pending |= bit_of(signal);
  return 1;
}

int hindcast_pthread_kill(pthread_t number, int signal) {
  ProgramThread& self = ProgramThreads::calling("pthread_kill");
  ProgramThread* const other = self.threads.find(number);
  if (other == nullptr || other->has_ended) return ESRCH;
  if (signal == 0) return 0;
  if (!is_signal(signal)) return EINVAL;
  send(*other, signal);
  if (other == &self && self.signals_due() != 0) self.handle_signals();
  return 0;
}

int hindcast_pthread_sigmask(int how, const sigset_t* set, sigset_t* before) { return set_mask(how, set, before); }
int hindcast_sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  const int error = set_mask(how, set, before);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

int hindcast_sigpending(sigset_t* set) {
  ProgramThread& self = ProgramThreads::calling("sigpending");
  self.look_in_vain();
  write_set(*set, (self.signals_pending | self.threads.signals_pending) & self.signals_blocked);
  return 0;
}

int hindcast_sigwait(const sigset_t* set, int* signal) {
  *signal = take_or_wait(ProgramThreads::calling("sigwait"), *set, Time::never(), "sigwait");
  return 0;
}

int hindcast_sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  ProgramThread& self = ProgramThreads::calling("sigtimedwait");
  if (time != nullptr && !is_valid_time(*time)) {
    errno = EINVAL;
    return -1;
  }
  const Time until = time == nullptr ? Time::never() : self.thread->clock() + duration_of(*time);
  const int signal = take_or_wait(self, *set, until, "sigtimedwait");
  if (signal == 0) {
    errno = EAGAIN;
    return -1;
  }
  if (info != nullptr) {
    *info = siginfo_t{};
    info->si_signo = signal;
    info->si_code = SI_TKILL;
  }
  return signal;
}

int hindcast_sigwaitinfo(const sigset_t* set, siginfo_t* info) { return hindcast_sigtimedwait(set, info, nullptr); }

int hindcast_sigsuspend(const sigset_t* mask) { return wait_with_mask(blockable(set_of(*mask)), "sigsuspend"); }
int hindcast_pause() { return wait_with_mask(ProgramThreads::calling("pause").signals_blocked, "pause"); }

}  // extern "C"
