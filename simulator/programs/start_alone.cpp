// A program that is started by itself: it starts the launcher in its place, which runs it as the only rank.

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "simulator/programs/rank_archive/rank_interface.h"

namespace {

// The launcher lies beside the library's folder: lib/libhindcast.so, bin/hindcast.
std::filesystem::path launcher() {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&hindcast_rank_start_alone), &library);
  return std::filesystem::absolute(library.dli_fname).parent_path().parent_path() / "bin" / "hindcast";
}

// The name by which the program was called, if that finds it.
std::string own_name(const char* called) {
  if (called != nullptr && std::strchr(called, '/') != nullptr && access(called, X_OK) == 0) return called;
  return std::filesystem::read_symlink("/proc/self/exe");
}

}  // namespace

void hindcast_rank_start_alone(int argc, char** argv) {
  const std::string path = launcher();
  const char* machine = std::getenv("HINDCAST_MACHINE");
  std::vector<std::string> words = {"hindcast", "run",     "-m", machine != nullptr ? machine : "ideal", "-n",
                                    "1",        "--alone", "--", own_name(argc > 0 ? argv[0] : nullptr)};
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  std::fprintf(stderr, "hindcast: cannot start %s: %s\n", path.c_str(), std::strerror(errno));
  std::_Exit(127);
}
