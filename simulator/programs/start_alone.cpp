// A program that is started by itself: it starts the launcher in its place, which runs it as the only rank, or as a
// script's launcher was told.

#include "simulator/programs/start_alone.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
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

// Programs that a rank starts are none of the script's: they do not find its options.
std::vector<std::string> take_options() {
  using namespace hindcast::programs;
  std::vector<std::string> options;
  if (const char* of_script = std::getenv(options_variable)) {
    std::istringstream words(of_script);
    for (std::string word; std::getline(words, word, between_options);) options.push_back(word);
    unsetenv(options_variable);
    return options;
  }
  const char* machine = std::getenv("HINDCAST_MACHINE");
  return {"-m", machine != nullptr ? machine : "ideal", "-n", "1"};
}

}  // namespace

void hindcast_rank_start_alone(int argc, char** argv) {
  const std::string path = launcher();
  std::vector<std::string> words = {"hindcast", "run"};
  for (const std::string& option : take_options()) words.push_back(option);
  for (const std::string& word : {std::string("--alone"), std::string("--"), own_name(argc > 0 ? argv[0] : nullptr)})
    words.push_back(word);
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  std::fprintf(stderr, "hindcast: cannot start %s: %s\n", path.c_str(), std::strerror(errno));
  std::_Exit(127);
}
