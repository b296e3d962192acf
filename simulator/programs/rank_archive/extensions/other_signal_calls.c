/* Signals by other calls than sigaction: those of System V, to which <signal.h> leads a program's signal() too where
 * the program is compiled for plain POSIX (-std=c99 -D_POSIX_C_SOURCE=...), and sigqueue. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "rank_interface.h"
#include "signals.h"

static sighandler_t set_handler(int signal, sighandler_t handler, int flags) {
  struct sigaction action, previous;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sigaction(signal, &action, &previous) == 0 ? previous.sa_handler : SIG_ERR;
}

OWN_COPY sighandler_t __sysv_signal(int signal, sighandler_t handler) {
  return set_handler(signal, handler, (int)(SA_RESETHAND | SA_NODEFER));
}
OWN_COPY sighandler_t sysv_signal(int signal, sighandler_t handler) { return __sysv_signal(signal, handler); }
OWN_COPY sighandler_t bsd_signal(int signal, sighandler_t handler) { return set_handler(signal, handler, SA_RESTART); }
OWN_COPY sighandler_t ssignal(int signal, sighandler_t handler) { return bsd_signal(signal, handler); }
OWN_COPY int gsignal(int signal) { return raise(signal); }

static int mask_one(int how, int signal, sigset_t* before) {
  sigset_t one;
  sigemptyset(&one);
  return sigaddset(&one, signal) == 0 ? sigprocmask(how, &one, before) : -1;
}
OWN_COPY int sighold(int signal) { return mask_one(SIG_BLOCK, signal, NULL); }
OWN_COPY int sigrelse(int signal) { return mask_one(SIG_UNBLOCK, signal, NULL); }
OWN_COPY int sigignore(int signal) { return set_handler(signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

OWN_COPY sighandler_t sigset(int signal, sighandler_t handler) {
  sigset_t before;
  struct sigaction previous;
  if (sigaction(signal, NULL, &previous) != 0) return SIG_ERR;
  if (handler == SIG_HOLD) {
    if (mask_one(SIG_BLOCK, signal, &before) != 0) return SIG_ERR;
  } else {
    if (set_handler(signal, handler, 0) == SIG_ERR || mask_one(SIG_UNBLOCK, signal, &before) != 0) return SIG_ERR;
  }
  return sigismember(&before, signal) == 1 ? SIG_HOLD : previous.sa_handler;
}

OWN_COPY int siginterrupt(int signal, int interrupts) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) != 0) return -1;
  action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return sigaction(signal, &action, NULL);
}

OWN_COPY int sigqueue(pid_t process, int signal, const union sigval value) {
  if (process != getpid()) {
    errno = ESRCH;
    return -1;
  }
  if (signal < 0 || signal >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (signal == 0) return 0;
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = process;
  info.si_uid = getuid();
  info.si_value = value;
  if (!hindcast_rank_puts_off_signal(signal, &info, 1)) hindcast_rank_handle_signal(signal, &info);
  return 0;
}

OFFER(__sysv_signal);
OFFER(sysv_signal);
OFFER(bsd_signal);
OFFER(ssignal);
OFFER(gsignal);
OFFER(sighold);
OFFER(sigrelse);
OFFER(sigignore);
OFFER(sigset);
OFFER(siginterrupt);
OFFER(sigqueue);
