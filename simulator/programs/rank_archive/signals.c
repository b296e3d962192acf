/* What a program does about signals that come: those that it sends itself, and those of its faults. */
#include "signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "rank_interface.h"

/* By signal; there is none before the program asks for one. All zeros is the default action. */
static struct sigaction* actions;

static int is_catchable(int signal) { return signal > 0 && signal < NSIG && signal != SIGKILL && signal != SIGSTOP; }

OWN_COPY int sigaction(int signal, const struct sigaction* action, struct sigaction* previous) {
  if (!is_catchable(signal)) {
    errno = EINVAL;
    return -1;
  }
  if (actions == NULL) actions = calloc(NSIG, sizeof *actions);
  if (actions == NULL) return -1;
  const struct sigaction before = actions[signal];
  if (action != NULL) actions[signal] = *action;
  if (previous != NULL) *previous = before;
  return 0;
}

/* The handler may look at where it has interrupted the program, of which it is told the mask of signals alone. */
static int run_handler(const struct sigaction* action, int signal, siginfo_t* info) {
  ucontext_t context;
  sigset_t blocked = action->sa_mask;
  memset(&context, 0, sizeof context);
  if ((action->sa_flags & (int)SA_NODEFER) == 0) sigaddset(&blocked, signal);
  sigprocmask(SIG_BLOCK, &blocked, &context.uc_sigmask);
  const sigset_t before = context.uc_sigmask;
  if ((action->sa_flags & SA_SIGINFO) != 0)
    action->sa_sigaction(signal, info, &context);
  else
    action->sa_handler(signal);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return (action->sa_flags & SA_RESTART) != 0 ? hindcast_signal_restarts : hindcast_signal_interrupts;
}

static int is_blocked(int signal) {
  sigset_t blocked;
  return sigprocmask(SIG_BLOCK, NULL, &blocked) == 0 && sigismember(&blocked, signal) == 1;
}

int hindcast_rank_has_handler(int signal) {
  return actions != NULL && is_catchable(signal) && actions[signal].sa_handler != SIG_DFL;
}

/* A fault, which the kernel has found, cannot wait until its signal is blocked no more. */
int hindcast_rank_deliver_signal(int signal, siginfo_t* info) {
  if (!hindcast_rank_has_handler(signal)) return 0;
  if (info != NULL && info->si_code > 0 && is_blocked(signal)) return 0;
  const struct sigaction action = actions[signal];
  if (action.sa_handler == SIG_IGN) return hindcast_signal_ignored;
  if ((action.sa_flags & (int)SA_RESETHAND) != 0) actions[signal].sa_handler = SIG_DFL;
  siginfo_t raised;
  if (info == NULL) {
    memset(&raised, 0, sizeof raised);
    raised.si_signo = signal;
    raised.si_code = SI_TKILL;
    raised.si_pid = getpid();
    info = &raised;
  }
  return run_handler(&action, signal, info);
}

static int does_nothing_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT || signal == SIGSTOP ||
         signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

int hindcast_rank_handle_signal(int signal, siginfo_t* info) {
  const int delivered = hindcast_rank_deliver_signal(signal, info);
  if (delivered != 0) return delivered;
  if (does_nothing_by_default(signal)) return hindcast_signal_ignored;
  hindcast_rank_die(signal);
}

OFFER(sigaction);
