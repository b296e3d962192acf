// Signals that a program sends itself, and handlers that it sets by other calls than sigaction: by signal(), which is
// one of System V's where the program is compiled for plain POSIX (-std=c99 -D_POSIX_C_SOURCE=...), and by others of
// its.
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

using Handler = sighandler_t;

int set_action(int signal, const struct sigaction* action, struct sigaction* previous) {
  return RunningProgram::calling("sigaction").entry_points().sigaction(signal, action, previous);
}

Handler set_handler(int signal, Handler handler, int flags) {
  struct sigaction action {};
  struct sigaction previous {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return set_action(signal, &action, &previous) == 0 ? previous.sa_handler : SIG_ERR;
}

int mask_one(int how, int signal, sigset_t* before) {
  sigset_t one;
  sigemptyset(&one);
  return sigaddset(&one, signal) == 0 ? hindcast_sigprocmask(how, &one, before) : -1;
}

int fail_to_send(int error) {
  errno = error;
  return -1;
}

int raise_for(int signal, siginfo_t* info, bool is_for_any_thread) {
  if (hindcast_rank_puts_off_signal(signal, info, is_for_any_thread ? 1 : 0) == 0)
    RunningProgram::calling("raise").entry_points().raise_signal(signal, info);
  return 0;
}

bool is_number_of_signal(int signal) { return signal > 0 && signal < NSIG; }

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

Handler hindcast_signal(int signal, Handler handler) { return set_handler(signal, handler, SA_RESTART); }
Handler hindcast___sysv_signal(int signal, Handler handler) {
  return set_handler(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

int hindcast_sighold(int signal) { return mask_one(SIG_BLOCK, signal, nullptr); }
int hindcast_sigrelse(int signal) { return mask_one(SIG_UNBLOCK, signal, nullptr); }
int hindcast_sigignore(int signal) { return set_handler(signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

Handler hindcast_sigset(int signal, Handler handler) {
  sigset_t before;
  struct sigaction previous {};
  if (set_action(signal, nullptr, &previous) != 0) return SIG_ERR;
  const bool is_held = handler == SIG_HOLD;
  if (!is_held && set_handler(signal, handler, 0) == SIG_ERR) return SIG_ERR;
  if (mask_one(is_held ? SIG_BLOCK : SIG_UNBLOCK, signal, &before) != 0) return SIG_ERR;
  return sigismember(&before, signal) == 1 ? SIG_HOLD : previous.sa_handler;
}

int hindcast_siginterrupt(int signal, int interrupts) {
  struct sigaction action {};
  if (set_action(signal, nullptr, &action) != 0) return -1;
  action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return set_action(signal, &action, nullptr);
}

int hindcast_raise(int signal) {
  if (signal == 0) return 0;
  return is_number_of_signal(signal) ? raise_for(signal, nullptr, false) : fail_to_send(EINVAL);
}

// The only process there is of the simulated machine, as far as a rank can see.
int hindcast_kill(pid_t process, int signal) {
  if (process != hindcast_rank_process() && process != 0) return fail_to_send(ESRCH);
  if (signal == 0) return 0;
  return is_number_of_signal(signal) ? raise_for(signal, nullptr, true) : fail_to_send(EINVAL);
}

int hindcast_sigqueue(pid_t process, int signal, sigval value) {
  if (process != hindcast_rank_process()) return fail_to_send(ESRCH);
  if (signal == 0) return 0;
  if (!is_number_of_signal(signal)) return fail_to_send(EINVAL);
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = process;
  info.si_uid = getuid();
  info.si_value = value;
  return raise_for(signal, &info, true);
}

}  // extern "C"
