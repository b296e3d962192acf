// Signals that threads of a rank send each other, block and wait for. One that another sends is handled where the
// thread waits for something of the program's, or sleeps; it goes on waiting after that.
#include <csignal>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

using SignalSet = ProgramThread::SignalSet;

SignalSet bit_of(int signal) { return PendingSignals::bit_of(signal); }

// libc's set begins with the signals that there are.
SignalSet set_of(const sigset_t& signals) { return signals.__val[0]; }
void write_set(sigset_t& signals, SignalSet set) {
  sigemptyset(&signals);
  signals.__val[0] = set;
}

bool is_signal(int signal) { return signal > 0 && signal < NSIG; }

// What cannot be blocked is left out.
SignalSet blockable(SignalSet set) { return set & ~(bit_of(SIGKILL) | bit_of(SIGSTOP)); }

void send(ProgramThread& to, const siginfo_t& sent) {
  to.signals_pending.add(sent);
  to.wake();
}

// One of them that has been sent: it is pending no more.
std::optional<siginfo_t> take(ProgramThread& self, SignalSet wanted) {
  PendingSignals& own = self.signals_pending;
  PendingSignals& pending = (own.numbers() & wanted) != 0 ? own : self.threads.signals_pending;
  if ((pending.numbers() & wanted) == 0) return std::nullopt;
  return pending.take(wanted);
}

siginfo_t sent_by_thread(int signal) {
  siginfo_t sent{};
  sent.si_signo = signal;
  sent.si_code = SI_TKILL;
  sent.si_pid = hindcast_rank_process();
  return sent;
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

std::optional<siginfo_t> take_or_wait(ProgramThread& self, const sigset_t& set, Time until, const char* call) {
  const SignalSet wanted = set_of(set);
  if (const auto sent = take(self, wanted)) return sent;
  wait_for(self, wanted, until, call);
  return take(self, wanted);
}

int set_mask(int how, const sigset_t* set, sigset_t* before) {
  ProgramThread& self = ProgramThreads::calling("pthread_sigmask");
  const SignalSet old = std::exchange(self.blocked_after_call, std::nullopt).value_or(self.signals_blocked);
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

// With this mask, until a signal has been handled; within its handler there may have been others. What is pending after
// that is blocked again.
int wait_with_mask(SignalSet mask, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  const SignalSet before = std::exchange(self.signals_blocked, mask);
  while (self.handle_one_signal(before) < hindcast_signal_restarts)
    if (self.signals_due() == 0) wait_for(self, ~mask, Time::never(), call);
  self.block_again(before);
  errno = EINTR;
  return -1;
}

}  // namespace

SignalSet ProgramThread::signals_due() const {
  const SignalSet wanted = signals_awaited != 0 ? signals_awaited : ~signals_blocked;
  return (signals_pending.numbers() | threads.signals_pending.numbers()) & wanted;
}

int ProgramThread::handle_one_signal(std::optional<SignalSet> blocked_after) {
  std::optional<siginfo_t> sent = take(*this, ~signals_blocked);
  if (!sent) return 0;
  blocked_after_call = blocked_after;
  const int effect = threads.program().entry_points().raise_signal(sent->si_signo, &*sent);
  blocked_after_call.reset();
  return effect;
}

int ProgramThread::handle_signals() {
  int effect = 0;
  while (signals_due() != 0) effect = std::max(effect, handle_one_signal());
  return effect;
}

SignalSet ProgramThread::block_only(const sigset_t& signals) {
  return std::exchange(signals_blocked, blockable(set_of(signals)));
}

void ProgramThread::block_again(SignalSet before) {
  signals_blocked = before;
  if (signals_due() != 0) handle_signals();
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

int hindcast_rank_puts_off_signal(int signal, const siginfo_t* info, int is_for_any_thread) {
  ProgramThread& self = ProgramThreads::calling("raise");
  const bool is_blocked = (self.signals_blocked & bit_of(signal)) != 0;
  if (!is_blocked) return 0;
  ProgramThread* const taker = is_for_any_thread != 0 ? self.threads.taker_of(signal) : &self;
  const siginfo_t sent = info != nullptr ? *info : sent_by_thread(signal);
  if (taker != nullptr)
    send(*taker, sent);
  else
    self.threads.signals_pending.add(sent);
  return 1;
}

int hindcast_pthread_kill(pthread_t number, int signal) {
  ProgramThread& self = ProgramThreads::calling("pthread_kill");
  ProgramThread* const other = self.threads.find(number);
  if (other == nullptr || other->has_ended) return ESRCH;
  if (signal == 0) return 0;
  if (!is_signal(signal)) return EINVAL;
  send(*other, sent_by_thread(signal));
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
  write_set(*set, (self.signals_pending.numbers() | self.threads.signals_pending.numbers()) & self.signals_blocked);
  return 0;
}

int hindcast_sigwait(const sigset_t* set, int* signal) {
  const auto sent = take_or_wait(ProgramThreads::calling("sigwait"), *set, Time::never(), "sigwait");
  *signal = sent ? sent->si_signo : 0;
  return 0;
}

int hindcast_sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  ProgramThread& self = ProgramThreads::calling("sigtimedwait");
  if (time != nullptr && !is_valid_time(*time)) {
    errno = EINVAL;
    return -1;
  }
  const Time until = time == nullptr ? Time::never() : self.thread->clock() + duration_of(*time);
  const std::optional<siginfo_t> sent = take_or_wait(self, *set, until, "sigtimedwait");
  if (!sent) {
    errno = EAGAIN;
    return -1;
  }
  if (info != nullptr) *info = *sent;
  return sent->si_signo;
}

int hindcast_sigwaitinfo(const sigset_t* set, siginfo_t* info) { return hindcast_sigtimedwait(set, info, nullptr); }

int hindcast_sigsuspend(const sigset_t* mask) { return wait_with_mask(blockable(set_of(*mask)), "sigsuspend"); }
int hindcast_pause() { return wait_with_mask(ProgramThreads::calling("pause").signals_blocked, "pause"); }

}  // extern "C"
