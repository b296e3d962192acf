/* Calls that fail: all ranks are one process, of which there would be another, or which would be another program. */
#include <errno.h>
#include <pty.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

static int refuse(const char* function, enum hindcast_refusal why, void* from) {
  hindcast_rank_tell_of_refusal(function, why, from);
  errno = ENOSYS;
  return -1;
}

/* Of the function that is being defined: where it was called is its return address. */
#define REFUSE(why) refuse(__func__, why, __builtin_return_address(0))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

OWN_COPY pid_t fork(void) { return REFUSE(hindcast_copies_all_ranks); }
OWN_COPY pid_t vfork(void) { return REFUSE(hindcast_copies_all_ranks); }
OWN_COPY pid_t _Fork(void) { return REFUSE(hindcast_copies_all_ranks); }
OWN_COPY int daemon(int keeps_directory, int keeps_streams) { return REFUSE(hindcast_copies_all_ranks); }
OWN_COPY int forkpty(int* terminal, char* name, const struct termios* settings, const struct winsize* size) {
  return REFUSE(hindcast_copies_all_ranks);
}

OWN_COPY int execve(const char* path, char* const words[], char* const environment[]) {
  return REFUSE(hindcast_replaces_all_ranks);
}
OWN_COPY int execveat(int folder, const char* path, char* const words[], char* const environment[], int flags) {
  return REFUSE(hindcast_replaces_all_ranks);
}
OWN_COPY int execvpe(const char* file, char* const words[], char* const environment[]) {
  return REFUSE(hindcast_replaces_all_ranks);
}
OWN_COPY int execv(const char* path, char* const words[]) { return REFUSE(hindcast_replaces_all_ranks); }
OWN_COPY int execvp(const char* file, char* const words[]) { return REFUSE(hindcast_replaces_all_ranks); }
OWN_COPY int fexecve(int file, char* const words[], char* const environment[]) {
  return REFUSE(hindcast_replaces_all_ranks);
}
OWN_COPY int execl(const char* path, const char* word, ...) { return REFUSE(hindcast_replaces_all_ranks); }
OWN_COPY int execlp(const char* file, const char* word, ...) { return REFUSE(hindcast_replaces_all_ranks); }
OWN_COPY int execle(const char* path, const char* word, ...) { return REFUSE(hindcast_replaces_all_ranks); }

#pragma GCC diagnostic pop

OFFER(fork);
OFFER(vfork);
OFFER(_Fork);
OFFER(daemon);
OFFER(forkpty);
OFFER(execve);
OFFER(execveat);
OFFER(execvpe);
OFFER(execv);
OFFER(execvp);
OFFER(fexecve);
OFFER(execl);
OFFER(execlp);
OFFER(execle);
