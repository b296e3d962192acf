/* Who and where a rank is, on the simulated machine. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

/* A rank's process number tells it from the others', and is the same in every run. */
enum { parent_process = 999 };

OWN_COPY pid_t getpid(void) { return hindcast_rank_process(); }
OWN_COPY pid_t getppid(void) { return parent_process; }

OWN_COPY int gethostname(char* name, size_t bytes) {
  const char* const host = hindcast_rank_host();
  strncpy(name, host, bytes);
  if (strlen(host) < bytes) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

OWN_COPY int uname(struct utsname* system) {
  if (syscall(SYS_uname, system) != 0) return -1;
  memset(system->nodename, 0, sizeof system->nodename);
  strncpy(system->nodename, hindcast_rank_host(), sizeof system->nodename - 1);
  return 0;
}

OWN_COPY int chdir(const char* path) { return hindcast_rank_chdir(path); }
OWN_COPY int fchdir(int descriptor) { return hindcast_rank_fchdir(descriptor); }

OFFER(getpid);
OFFER(getppid);
OFFER(gethostname);
OFFER(uname);
OFFER(chdir);
OFFER(fchdir);
