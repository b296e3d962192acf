#include "commands/lost_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace hindcast {

namespace {

// Whether the output goes to a pipe whose reader has had enough.
bool is_reader_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

bool is_output_lost() { return std::ferror(stdout) != 0 && !is_reader_gone(); }

int status_after_output(int status) {
  const int error = std::fflush(stdout) == 0 ? 0 : errno;
  if (!is_output_lost()) return status;
  const std::string why = error == 0 ? "" : std::string(": ") + std::strerror(error);
  std::fprintf(stderr, "hindcast: standard output cannot be written%s\n", why.c_str());
  return status == 0 ? 1 : status;
}

}  // namespace hindcast
