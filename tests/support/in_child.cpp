#include "tests/support/in_child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace hindcast::test {

std::string text_from_child(const std::function<std::string()>& make_text) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = make_text();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(ends[1], text.data() + at, text.size() - at);
      if (written <= 0) _exit(2);
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0)
    throw std::runtime_error("the child ended with status " + std::to_string(status) + " after: " + text);
  return text;
}

}  // namespace hindcast::test
