// Loads one program many times, once for each rank, with the shared libraries that are its own.
//
// By default the program is loaded once, its constructors not run, and each rank gets a clone: the same text from the
// same file, a copy of the relocated data, and pointers into the program moved by the distance between the two
// (clone_loader). Where that cannot be done, or where a debugger is to see every rank's program, each rank loads a copy
// of the file (copy_loader).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/programs/load/arena.hpp"
#include "simulator/programs/load/elf_image.hpp"
#include "simulator/programs/load/own_libraries.hpp"
#include "simulator/programs/process/thread_variables.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

// A program and its own libraries, as files. The program is the last one.
struct ProgramFiles {
  std::vector<ElfImage> images;
  std::vector<OwnLibrary> libraries;  // of all images but the last
  explicit ProgramFiles(const std::string& path);
  const ElfImage& program() const { return images.back(); }
  bool can_be_cloned() const;
  StackKind stack_kind() const;
};

class Loader {
 public:
  virtual ~Loader() = default;

  // Gives the rank in `slot` its own program. Throws ProgramError.
  virtual void load(std::size_t slot) = 0;
  // The rank has gone, and with it what it had in memory of a cloned program, and its stack: another may be loaded
  // there. Of a copied program the system's loader keeps the copy.
  void unload(std::size_t slot);
  virtual std::byte* base(std::size_t slot, std::size_t image) const = 0;

  // Where the variable at an address of one rank's program, or of its own libraries, lies in another rank's. Null: not
  // all of these bytes are variables of one file there.
  std::byte* counterpart(const void* address, std::size_t bytes, std::size_t slot, std::size_t other) const;

  const ProgramFiles& files() const { return files_; }
  const Arena& arena() const { return *arena_; }
  const hindcast_program& entry_points(std::size_t slot) const;
  // Where the program has the addresses of other libraries' functions that it calls.
  const std::byte* addresses_called(std::size_t slot) const;

  // A thread of this index in the rank has gone.
  void forget_thread_variables(std::size_t slot, int index);
  // Before and after main, on the rank's own stack.
  void run_initialisers(std::size_t slot, int argc, char** argv, char** environment) const;
  void run_finalisers(std::size_t slot) const;
  // What the system keeps mapped of libraries' code that a rank has run when it began or ended, and may not run again.
  virtual void forget_code(std::size_t) const {}

 protected:
  explicit Loader(ProgramFiles files) : files_(std::move(files)) {}
  // Loads patched copies of all files, by the system's loader, so that they need each other and nobody else needs them.
  // Returns where each image lies.
  std::vector<std::byte*> load_files();
  // The rank's thread-local variables are found through us from now on.
  void take_over_thread_variables(std::size_t slot);

  ProgramFiles files_;
  std::unique_ptr<Arena> arena_;

 private:
  // Where an image asks which block of thread-local variables to use, and whose block that is.
  struct BlockReference {
    std::size_t image;
    std::uint64_t offset;
    std::size_t owner;
  };
  struct SearchReference {
    std::size_t image;
    std::uint64_t offset;
  };
  // What of libc is the program's own (rank_archive/own_copy.h) is its libraries' too.
  void bind_libraries_to(void* program, const std::vector<std::byte*>& bases) const;
  void find_thread_variable_references(const std::vector<std::byte*>& bases, const std::vector<void*>& handles);

  std::ptrdiff_t entry_points_offset_ = 0;
  std::vector<BlockReference> block_references_;
  std::vector<SearchReference> search_references_;
  std::unordered_map<std::size_t, std::deque<ThreadVariables>> thread_variables_;  // by slot
};

std::unique_ptr<Loader> make_clone_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes);
std::unique_ptr<Loader> make_copy_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes);

}  // namespace hindcast::programs
