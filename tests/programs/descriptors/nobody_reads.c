/* Writing where nobody reads any more: a signal of the rank's own. */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../threads/wrong.h"

static volatile int handled;
static void count(int signal) {
  (void)signal;
  ++handled;
}

int main(int argc, char** argv) {
  int ends[2];
  CHECK_IS(strcmp(argv[1], "pipe") == 0 ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  signal(SIGPIPE, count);
  CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  CHECK_IS(handled, 1);
  if (argv[1][0] == 's') {
    struct msghdr message;
    memset(&message, 0, sizeof message);
    CHECK(send(ends[1], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    CHECK_IS(handled, 1);
    CHECK(sendmsg(ends[1], &message, 0) == -1 && errno == EPIPE);
    CHECK_IS(handled, 2);
  }
  puts("right");
  signal(SIGPIPE, SIG_DFL);
  return argc == 2 ? 0 : (int)write(ends[1], "x", 1);
}
