// Each command runs in a process of its own that is forked with the simulator's libraries loaded: to load them takes
// longer than many a simulation.
//
// A request is a list of words, each with a zero byte after it: how many others there are, two files for what the
// command prints and for what it says on standard error, and the command's words. The answer is a line on standard
// output: the exit status, or a signal's number with a minus before it.
#include "commands/door/serve.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace hindcast {

namespace {

constexpr int failed = 1;
constexpr std::size_t files = 2;

// False at the end of what is asked.
bool read_word(std::FILE* requests, std::string& word) {
  word.clear();
  int letter;
  while ((letter = std::getc(requests)) != EOF && letter != '\0') word.push_back(static_cast<char>(letter));
  return letter != EOF;
}

bool read_request(std::FILE* requests, std::vector<std::string>& words) {
  std::string count;
  if (!read_word(requests, count)) return false;
  words.resize(std::strtoul(count.c_str(), nullptr, 10));
  for (std::string& word : words)
    if (!read_word(requests, word)) return false;
  return words.size() > files;
}

bool put_in_place_of(int stream, const char* file, int flags) {
  const int opened = open(file, flags, 0666);
  if (opened < 0 || dup2(opened, stream) < 0) return false;
  return close(opened) == 0;
}

bool take_streams(const std::vector<std::string>& request) {
  constexpr int to_write = O_WRONLY | O_CREAT | O_TRUNC;
  return put_in_place_of(STDIN_FILENO, "/dev/null", O_RDONLY) &&
         put_in_place_of(STDOUT_FILENO, request[0].c_str(), to_write) &&
         put_in_place_of(STDERR_FILENO, request[1].c_str(), to_write);
}

// In the forked process. What nobody waits for any more ends.
[[noreturn]] void run_request(Main main, char* name, std::vector<std::string>& request, pid_t server) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server || !take_streams(request)) _exit(failed);
  std::vector<char*> words = {name};
  for (std::size_t i = files; i < request.size(); ++i) words.push_back(request[i].data());
  words.push_back(nullptr);
  _exit(main(static_cast<int>(words.size()) - 1, words.data()));
}

int status_of(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return failed;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int serve(Main main, char* name) {
  // A stream of its own: what it has read ahead is no standard input of a command.
  const int own = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  std::FILE* requests = own < 0 ? nullptr : fdopen(own, "r");
  if (requests == nullptr) return failed;
  const pid_t server = getpid();
  for (std::vector<std::string> request; read_request(requests, request);) {
    const pid_t process = fork();
    if (process == 0) {
      close(own);
      run_request(main, name, request, server);
    }
    std::printf("%d\n", process < 0 ? failed : status_of(process));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace hindcast
