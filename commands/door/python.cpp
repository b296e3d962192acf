#include "commands/door/python.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "commands/door/installation.hpp"

namespace hindcast {

namespace {

namespace fs = std::filesystem;

// The folder that the Python packages `experiments` and `plots` lie in: share/hindcast of an installation, or the
// source tree that the build tree is in.
fs::path packages_folder() {
  const fs::path prefix = installation_prefix();
  std::vector<fs::path> candidates = {prefix / "share" / "hindcast"};
  for (fs::path above = prefix; above.has_relative_path(); above = above.parent_path()) candidates.push_back(above);
#ifdef HINDCAST_SOURCE
  candidates.emplace_back(HINDCAST_SOURCE);  // a build tree outside the source tree
#endif
  for (const fs::path& folder : candidates) {
    std::error_code error;
    if (fs::is_regular_file(folder / "experiments" / "__main__.py", error)) return folder;
  }
  return {};
}

// The one that the user names, or the environment that ./hindcast makes, or the system's.
std::string interpreter(const fs::path& folder) {
  if (const char* named = std::getenv("HINDCAST_PYTHON"); named != nullptr && *named != '\0') return named;
  const fs::path own = folder / ".venv" / "bin" / "python";
  std::error_code error;
  return fs::exists(own, error) ? own.string() : "python3";
}

}  // namespace

bool is_python_command(std::string_view command) {
  constexpr std::string_view commands[] = {"compare", "sweep", "experiment", "score", "uncertainty", "calibrate"};
  return std::ranges::find(commands, command) != std::end(commands);
}

int start_python(char** argv) {
  const fs::path folder = packages_folder();
  if (folder.empty()) {
    std::fprintf(stderr, "hindcast: no experiments/ beside this installation, nor in a source tree above it\n");
    return 1;
  }
  std::string path = folder.string();
  if (const char* given = std::getenv("PYTHONPATH"); given != nullptr && *given != '\0') path.append(":").append(given);
  setenv("PYTHONPATH", path.c_str(), 1);
  setenv("HINDCAST_LAUNCHER", fs::read_symlink("/proc/self/exe").c_str(), 1);

  const std::string python = interpreter(folder);
  std::string safe_path = "-P", module_option = "-m", module = "experiments";  // -P: nothing from the working directory
  std::vector<char*> words = {const_cast<char*>(python.c_str()), safe_path.data(), module_option.data(), module.data()};
  for (char** word = argv + 1; *word != nullptr; ++word) words.push_back(*word);
  words.push_back(nullptr);
  execvp(python.c_str(), words.data());
  std::fprintf(stderr, "hindcast: cannot start %s: %s (Python 3.11 or later; HINDCAST_PYTHON names another)\n",
               python.c_str(), std::strerror(errno));
  return 1;
}

}  // namespace hindcast
