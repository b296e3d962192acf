// The shared libraries that a rank opens while it runs, by dlopen. As with those that its program is linked with, it
// has copies of those outside the system's directories for itself, so that their variables are its own. What they ask
// for and the program has is the program's, in the rank's copy of it.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <optional>
#include <string>

#include "simulator/programs/load/loaded_image.hpp"
#include "simulator/programs/load/opened/rank_scope.hpp"

namespace hindcast::programs {

class Loader;
class OpenedLibrary;

// Does what dlopen, dlclose, dlsym and dladdr do. It is to be called on the rank's own stack, on which libraries'
// initialisers and finalisers run.
class OpenedLibraries {
 public:
  OpenedLibraries(Loader& loader, std::size_t slot);
  ~OpenedLibraries();
  OpenedLibraries(const OpenedLibraries&) = delete;
  OpenedLibraries& operator=(const OpenedLibraries&) = delete;

  // `from` is an address in the code that calls. Null: RTLD_NOLOAD was asked for, and it is not open. Throws
  // ProgramError.
  void* open(const char* path, int mode, const void* from, const ProgramArguments& arguments);
  // Throws ProgramError.
  void close(void* handle);
  // A symbol's address may be null. Throws ProgramError if there is no symbol of this name.
  void* find(void* handle, const char* name) const;
  // False if the address is in nothing that the rank has.
  bool describe(const void* address, Dl_info& info) const;
  // What was noted last is told once, as by dlerror, and then null.
  void note_error(const std::string& text);
  const char* take_error();

  // A library that has something at this address stays, as a thread will call it when it ends.
  void keep_open(const void* address);
  void run_finalisers();
  void forget_thread_variables(int thread);
  std::optional<LoadedImage> image_with(const void* address) const;

 private:
  void* open_copy(const std::string& path, int mode, const ProgramArguments& arguments);
  void* handle_in_program(const std::string& path) const;
  OpenedLibrary* from_file(const std::string& path) const;
  OpenedLibrary* with_handle(void* handle) const;
  OpenedLibrary& load(const std::string& path);
  void begin_those_loaded(const ProgramArguments& arguments);
  bool can_go(const OpenedLibrary& library) const;
  void drop_those_closed();
  void* find_in_all(const std::string& name) const;

  Loader& loader_;
  const std::size_t slot_;
  RankScope::Libraries libraries_;
  const RankScope scope_{loader_, slot_, libraries_};
  std::string error_;
  bool has_untold_error_ = false;
};

}  // namespace hindcast::programs
