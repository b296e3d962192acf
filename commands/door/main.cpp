// bin/hindcast, and by other names the compiler wrappers.
//
// Compiling and starting Python need nothing of the simulator, whose libraries take longer to load than many a file to
// compile. So the simulator's library is opened only when it is wanted; it is the one that programs under simulation
// are linked with.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "commands/door/compiler.hpp"
#include "commands/door/installation.hpp"
#include "commands/door/python.hpp"
#include "commands/door/serve.hpp"

namespace {

using FindObject = int (*)(void*, dl_find_object*);

FindObject next_find_object() {
  static const auto next = reinterpret_cast<FindObject>(dlsym(RTLD_NEXT, "_dl_find_object"));
  return next;
}
FindObject find_object = next_find_object();

// Compiler wrappers and launcher go by hindcast-mpicc, or by mpicc, as those who look for any MPI expect it.
bool is_named(const std::string& path, const std::string& name) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file == name || file == "hindcast-" + name;
}
bool is_named_one_of(const std::string& path, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return is_named(path, name); });
}

// Else a file that is opened later would be what ranks read and print to.
void open_missing_standard_files() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDWR);  // the lowest number that is free
}

// Null if it cannot be opened, which has been said then.
hindcast::Main open_library() {
  const std::string path = hindcast::installation_prefix() / "lib" / "libhindcast.so";
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "hindcast: %s\n", dlerror());
    return nullptr;
  }
  find_object = reinterpret_cast<FindObject>(dlsym(library, "_dl_find_object"));
  return reinterpret_cast<hindcast::Main>(dlsym(library, "hindcast_main"));
}

int enter_library(int argc, char** argv) {
  const hindcast::Main main = open_library();
  return main == nullptr ? 1 : main(argc, argv);
}

int serve(char* name) {
  const hindcast::Main main = open_library();
  return main == nullptr ? 1 : hindcast::serve(main, name);
}

// "help run" is "run --help".
void put_help_last(int& argc, char** argv) {
  static char option[] = "--help";
  argc = std::min(argc, 3);
  if (argc == 3) argv[1] = argv[2];
  argv[argc - 1] = option;
  argv[argc] = nullptr;
}

}  // namespace

// The unwinder of the system's libraries asks the executable first: programs under simulation are known to the library.
extern "C" __attribute__((visibility("default"))) int _dl_find_object(void* code, dl_find_object* result) {
  return (find_object != nullptr ? find_object : next_find_object())(code, result);
}

int main(int argc, char** argv) {
  using hindcast::Language;
  open_missing_standard_files();
  if (is_named(argv[0], "mpicc")) return hindcast::compile(Language::c, {argv + 1, argv + argc});
  if (is_named_one_of(argv[0], {"mpicxx", "mpic++", "mpiCC"}))
    return hindcast::compile(Language::cxx, {argv + 1, argv + argc});
  if (is_named_one_of(argv[0], {"mpifort", "mpif90", "mpif77"}))
    return hindcast::compile(Language::fortran, {argv + 1, argv + argc});
  if (argc > 1 && std::strcmp(argv[1], "help") == 0) put_help_last(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "cc") == 0) return hindcast::compile(Language::c, {argv + 2, argv + argc});
  if (argc > 1 && std::strcmp(argv[1], "c++") == 0) return hindcast::compile(Language::cxx, {argv + 2, argv + argc});
  if (argc > 1 && std::strcmp(argv[1], "fc") == 0) return hindcast::compile(Language::fortran, {argv + 2, argv + argc});
  if (argc > 1 && hindcast::is_python_command(argv[1])) return hindcast::start_python(argv);
  if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return serve(argv[0]);
  if (is_named_one_of(argv[0], {"mpiexec", "mpirun"})) {
    std::vector<char*> words(argv, argv + argc);
    std::string run = "run";
    words.insert(words.begin() + 1, run.data());
    words.push_back(nullptr);
    return enter_library(argc + 1, words.data());
  }
  return enter_library(argc, argv);
}
