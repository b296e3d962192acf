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
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/programs/load/arena.hpp"
#include "simulator/programs/load/elf_image.hpp"
#include "simulator/programs/load/loaded_image.hpp"
#include "simulator/programs/load/opened/file_images.hpp"
#include "simulator/programs/load/opened/opened_libraries.hpp"
#include "simulator/programs/load/own_libraries.hpp"
#include "simulator/programs/load/patched_copy.hpp"
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

// What the system's loader has made of a program's files. The program is the last one.
struct LoadedFiles {
  std::vector<Renaming> renamings;  // of the libraries
  std::vector<void*> handles;       // by which the system's loader knows them
  std::vector<LoadedImage> images;
  const LoadedImage& program() const { return images.back(); }
};

// A text of the system's loader, which knows libraries by the names that they were given for it, with their own names.
std::string with_own_names(std::string text, const std::vector<Renaming>& renamings);
// By this name a program offers its libraries what it has instead of a function of libc's (rank_archive/own_copy.h).
inline std::string name_offered(const std::string& name) { return "hindcast_own_" + name; }

class Loader {
 public:
  virtual ~Loader() = default;

  // Gives the rank in `slot` its own program. Throws ProgramError.
  virtual void load(std::size_t slot) = 0;
  // The rank has gone, and with it what it had in memory of a cloned program, and its stack: another may be loaded
  // there. Of a copied program the system's loader keeps the copy.
  void unload(std::size_t slot);
  virtual std::byte* base(std::size_t slot, std::size_t image) const = 0;
  LoadedImage image(std::size_t slot, std::size_t image) const { return {&files_.images[image], base(slot, image)}; }
  // The image of the rank's in which this address lies: its program, one of its own libraries, or one that it has
  // opened.
  std::optional<LoadedImage> image_with(std::size_t slot, const void* address) const;
  // What the system's loader has loaded for the rank, or for all ranks if they have clones of it.
  virtual const LoadedFiles& loaded_files(std::size_t slot) const = 0;
  // Where the rank has what lies at this address in what the system's loader has loaded. Other addresses stay.
  std::byte* in_slot(std::byte* address, std::size_t slot) const;

  FileImages& library_files() { return library_files_; }
  // The libraries that the rank opens as it runs.
  OpenedLibraries& opened(std::size_t slot) { return opened_.try_emplace(slot, *this, slot).first->second; }

  // Where the variable at an address of one rank's program, or of its own libraries, lies in another rank's. Null: not
  // all of these bytes are variables of one file there.
  std::byte* counterpart(const void* address, std::size_t bytes, std::size_t slot, std::size_t other) const;

  const ProgramFiles& files() const { return files_; }
  const Arena& arena() const { return *arena_; }
  const hindcast_program& entry_points(std::size_t slot) const;
  // Where the program has the addresses of other libraries' functions that it calls.
  const std::byte* addresses_called(std::size_t slot) const;

  ThreadVariables& thread_variables(std::size_t slot, std::size_t image);
  // A thread of this index in the rank has gone.
  void forget_thread_variables(std::size_t slot, int index);
  // Before and after main, on the rank's own stack.
  void run_initialisers(std::size_t slot, const ProgramArguments& arguments) const;
  void run_finalisers(std::size_t slot);
  // What the system keeps mapped of libraries' code that a rank has run when it began or ended, and may not run again.
  virtual void forget_code(std::size_t) const {}

 protected:
  explicit Loader(ProgramFiles files) : files_(std::move(files)) {}
  // Loads patched copies of all files, by the system's loader, so that they need each other and nobody else needs them.
  LoadedFiles load_files();
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
  // Libraries get the program's own functions instead of those of libc that the program has replaced.
  void bind_libraries_to_program(const LoadedFiles& loaded) const;
  void find_thread_variable_references(const LoadedFiles& loaded);

  std::ptrdiff_t entry_points_offset_ = 0;
  std::vector<BlockReference> block_references_;
  std::vector<SearchReference> search_references_;
  std::unordered_map<std::size_t, std::deque<ThreadVariables>> thread_variables_;  // by slot
  FileImages library_files_;
  std::unordered_map<std::size_t, OpenedLibraries> opened_;  // by slot
};

std::unique_ptr<Loader> make_clone_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes);
std::unique_ptr<Loader> make_copy_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes);

}  // namespace hindcast::programs
