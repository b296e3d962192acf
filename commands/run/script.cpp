#include "commands/run/script.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/start_alone.hpp"

namespace hindcast {

namespace {

std::string joined(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += option + programs::between_options;
  return text;
}

}  // namespace

bool is_script(const std::string& path) {
  char beginning[2] = {};
  std::ifstream(path, std::ios::binary).read(beginning, sizeof beginning);
  return beginning[0] == '#' && beginning[1] == '!';
}

void refuse_script(const std::string& command, const std::string& file, const std::string& working_directory) {
  const std::string path = programs::find_program(file, working_directory);
  if (!is_script(path)) return;
  throw std::invalid_argument(
      fmt::format("{}: {} is a script, and each program that a script starts is a run of its own; name the program "
                  "that it starts instead (libtool keeps it in .libs)",
                  command, path));
}

void start_if_script(const ProgramLine& line, const std::string& working_directory) {
  // A script that starts this run has told its options.
  unsetenv(programs::options_variable);
  std::vector<std::string> words = line.first;
  const std::string path = programs::find_program(words.front(), working_directory);
  if (!is_script(path)) return;
  if (isatty(STDERR_FILENO) != 0)
    fmt::print(stderr,
               "hindcast: {} is a script: it runs once, and each program that it starts runs as this one was to\n",
               path);
  setenv(programs::options_variable, joined(line.options).c_str(), 1);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  throw std::runtime_error(fmt::format("{}: cannot be started: {}", path, std::strerror(errno)));
}

}  // namespace hindcast
