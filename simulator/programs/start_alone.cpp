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

int number_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::atoi(value) : 0;
}

// Another MPI's launcher, as CMake or a script finds it on the PATH, starts the program once for each rank. These would
// be as many runs of one rank, each of which ends well and tests nothing.
void refuse_other_launchers(const std::string& program) {
  struct Told {
    const char* size;
    const char* rank;
  };
  for (const Told& told : {Told{"PMI_SIZE", "PMI_RANK"}, Told{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}}) {
    const int size = number_in(told.size);
    if (size < 2) continue;
    if (number_in(told.rank) == 0)
      std::fprintf(
          stderr,
          "hindcast: %s: another MPI's launcher has started this program %d times (%s), which would be runs of "
          "one rank; start it with hindcast-mpiexec -n %d\n",
          program.c_str(), size, told.size, size);
    std::_Exit(1);
  }
}

}  // namespace

void hindcast_rank_start_alone(int argc, char** argv) {
  const std::string path = launcher();
  const std::string program = own_name(argc > 0 ? argv[0] : nullptr);
  if (std::getenv(hindcast::programs::options_variable) == nullptr) refuse_other_launchers(program);
  std::vector<std::string> words = {"hindcast", "run"};
  for (const std::string& option : take_options()) words.push_back(option);
  for (const std::string& word : {std::string("--alone"), std::string("--"), program}) words.push_back(word);
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  std::fprintf(stderr, "hindcast: cannot start %s: %s\n", path.c_str(), std::strerror(errno));
  std::_Exit(127);
}
