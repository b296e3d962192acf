// A shared library that a rank has opened: its copy, bound to the rank's program.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "simulator/programs/load/elf_image.hpp"
#include "simulator/programs/load/loaded_image.hpp"
#include "simulator/programs/load/loading_folder.hpp"
#include "simulator/programs/load/patched_copy.hpp"
#include "simulator/programs/process/thread_variables.hpp"

namespace hindcast::programs {

class RankScope;

class OpenedLibrary {
 public:
  // `name` is what others need it by. Throws ProgramError.
  OpenedLibrary(std::shared_ptr<const ElfImage> image, const std::string& name, const LoadingFolder& folder,
                const RankScope& scope);
  ~OpenedLibrary();
  OpenedLibrary(const OpenedLibrary&) = delete;
  OpenedLibrary& operator=(const OpenedLibrary&) = delete;

  const ElfImage& image() const { return *image_; }
  LoadedImage loaded() const { return {image_.get(), base_}; }
  const Renaming& renaming() const { return renaming_; }
  void* handle() const { return handle_; }
  bool needs(const OpenedLibrary& other) const;
  // Null if the library has no thread-local variables.
  ThreadVariables* thread_variables() { return variables_ ? &*variables_ : nullptr; }

  int times_opened = 0;     // by the program, and not closed again
  bool is_global = false;   // libraries that are opened later find what it defines
  bool has_begun = false;   // its initialisers have run
  bool stays_open = false;  // it is not unloaded before the rank has ended

 private:
  bool is_bound_by_us(std::uint32_t symbol, const RankScope& scope) const;
  void bind(const RankScope& scope);
  void* address_instead(std::uint32_t symbol, const RankScope& scope) const;
  void bind_address(const ElfImage::Relocation& relocation, const RankScope& scope);
  void bind_thread_variable(const ElfImage::Relocation& relocation, const RankScope& scope);
  void share_code(const std::string& copy) const;

  std::shared_ptr<const ElfImage> image_;
  Renaming renaming_;
  bool is_fortran_;
  void* handle_ = nullptr;
  std::byte* base_ = nullptr;
  std::optional<ThreadVariables> variables_;
};

}  // namespace hindcast::programs
