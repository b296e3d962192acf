#include "simulator/programs/load/loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>

#include "simulator/programs/load/loading_folder.hpp"
#include "simulator/programs/load/patched_copy.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/thread_variables.hpp"

namespace hindcast::programs {

namespace {

[[noreturn]] void refuse_of_another_version(const std::string& path) {
  throw ProgramError(path + ": not linked by this hindcast; link it with hindcast-mpicc");
}

// What the library no longer has may be missed before the program's version can be looked at.
[[noreturn]] void refuse_unloadable(const std::string& path, const std::string& why) {
  if (why.find("undefined symbol: hindcast_") != std::string::npos) refuse_of_another_version(path);
  throw ProgramError(fmt::format("{}: {}", path, why));
}

}  // namespace

std::string with_own_names(std::string text, const std::vector<Renaming>& renamings) {
  for (const auto& [own, given] : renamings)
    for (std::size_t at = text.find(given); at != std::string::npos; at = text.find(given, at + own.size()))
      text.replace(at, given.size(), own);
  return text;
}

ProgramFiles::ProgramFiles(const std::string& path) {
  ElfImage program(path);
  libraries = own_libraries(program);
  for (const OwnLibrary& library : libraries) images.emplace_back(library.path);
  images.push_back(std::move(program));
}

bool ProgramFiles::can_be_cloned() const {
  return std::all_of(images.begin(), images.end(), [](const ElfImage& image) { return image.can_be_cloned(); });
}

StackKind ProgramFiles::stack_kind() const {
  const auto wants_code = [](const ElfImage& image) { return image.runs_code_on_stack(); };
  return std::any_of(images.begin(), images.end(), wants_code) ? StackKind::data_and_code : StackKind::data;
}

LoadedFiles Loader::load_files() {
  LoadedFiles loaded;
  for (const OwnLibrary& library : files_.libraries)
    loaded.renamings.emplace_back(library.name, fresh_name(library.name));
  const LoadingFolder folder;
  for (std::size_t i = 0; i < loaded.renamings.size(); ++i)
    folder.write(loaded.renamings[i].second, patched_copy(files_.images[i], loaded.renamings));
  const std::string name = std::filesystem::path(files_.program().path()).filename();
  folder.write(name, patched_copy(files_.program(), loaded.renamings));

  void* program = dlopen(folder.path_of(name).c_str(), loading_mode);
  if (program == nullptr) refuse_unloadable(files_.program().path(), with_own_names(dlerror(), loaded.renamings));
  for (const Renaming& renaming : loaded.renamings) {
    loaded.handles.push_back(dlopen(renaming.second.c_str(), RTLD_NOW | RTLD_NOLOAD));
    if (loaded.handles.back() == nullptr) throw ProgramError(fmt::format("{}: {}", renaming.first, dlerror()));
  }
  loaded.handles.push_back(program);
  for (std::size_t i = 0; i < loaded.handles.size(); ++i)
    loaded.images.push_back({&files_.images[i], base_of(loaded.handles[i])});
  const auto* entry_points = static_cast<const hindcast_program*>(dlsym(program, "hindcast_program"));
  if (entry_points == nullptr || entry_points->version != HINDCAST_PROGRAM_VERSION)
    refuse_of_another_version(files_.program().path());
  entry_points_offset_ = reinterpret_cast<const std::byte*>(entry_points) - loaded.program().base;
  bind_libraries_to_program(loaded);
  if (block_references_.empty()) find_thread_variable_references(loaded);
  return loaded;
}

void Loader::bind_libraries_to_program(const LoadedFiles& loaded) const {
  for (std::size_t i = 0; i + 1 < loaded.images.size(); ++i) {
    const ElfImage& library = files_.images[i];
    const bool is_fortran = is_fortran_library(files_.libraries[i].name);
    library.for_each_relocation([&](const ElfImage::Relocation& relocation) {
      if (!holds_address_of_symbol(relocation) || library.defines(relocation.symbol)) return;
      const std::string name = library.symbol_name(relocation.symbol);
      void* own = is_fortran ? replacement_for_fortran(name) : nullptr;
      if (own == nullptr) own = dlsym(loaded.handles.back(), name_offered(name).c_str());
      if (own != nullptr)
        *reinterpret_cast<std::byte**>(&loaded.images[i].word(relocation.offset)) =
            static_cast<std::byte*>(own) + relocation.addend;
    });
  }
}

void Loader::find_thread_variable_references(const LoadedFiles& loaded) {
  std::map<std::size_t, std::size_t> image_of_module;
  for (std::size_t i = 0; i < loaded.handles.size(); ++i)
    if (const std::size_t module = module_of(loaded.handles[i]); module != 0) image_of_module[module] = i;
  for (std::size_t i = 0; i < loaded.images.size(); ++i) {
    files_.images[i].for_each_relocation([&](const ElfImage::Relocation& relocation) {
      if (relocation.type == R_X86_64_DTPMOD64) {
        const auto owner = image_of_module.find(loaded.images[i].word(relocation.offset));
        if (owner != image_of_module.end()) block_references_.push_back({i, relocation.offset, owner->second});
      }
      const bool is_pointer = relocation.type == R_X86_64_GLOB_DAT || relocation.type == R_X86_64_JUMP_SLOT;
      if (is_pointer && files_.images[i].symbol_name(relocation.symbol) == "__tls_get_addr")
        search_references_.push_back({i, relocation.offset});
    });
  }
}

ThreadVariables& Loader::thread_variables(std::size_t slot, std::size_t image) {
  std::deque<ThreadVariables>& variables = thread_variables_[slot];
  for (std::size_t i = variables.size(); i < files_.images.size(); ++i)
    variables.emplace_back(base(slot, i), files_.images[i].tls());
  return variables[image];
}

void Loader::take_over_thread_variables(std::size_t slot) {
  if (block_references_.empty()) return;
  for (const BlockReference& reference : block_references_)
    *reinterpret_cast<ThreadVariables**>(base(slot, reference.image) + reference.offset) =
        &thread_variables(slot, reference.owner);
  for (const SearchReference& reference : search_references_)
    *reinterpret_cast<void**>(base(slot, reference.image) + reference.offset) =
        reinterpret_cast<void*>(&find_thread_variable);
}

void Loader::forget_thread_variables(std::size_t slot, int index) {
  if (const auto found = thread_variables_.find(slot); found != thread_variables_.end())
    for (ThreadVariables& variables : found->second) variables.forget_thread(index);
  if (const auto opened = opened_.find(slot); opened != opened_.end()) opened->second.forget_thread_variables(index);
}

void Loader::unload(std::size_t slot) {
  opened_.erase(slot);
  thread_variables_.erase(slot);
  arena_->clear(slot);
}

std::optional<LoadedImage> Loader::image_with(std::size_t slot, const void* address) const {
  for (std::size_t i = 0; i < files_.images.size(); ++i)
    if (const LoadedImage image = this->image(slot, i); image.has(address)) return image;
  const auto opened = opened_.find(slot);
  return opened == opened_.end() ? std::nullopt : opened->second.image_with(address);
}

std::byte* Loader::in_slot(std::byte* address, std::size_t slot) const {
  const std::vector<LoadedImage>& images = loaded_files(slot).images;
  for (std::size_t i = 0; i < images.size(); ++i)
    if (images[i].has(address)) return base(slot, i) + (address - images[i].base);
  return address;
}

// The program first: it is the last image.
std::byte* Loader::counterpart(const void* address, std::size_t bytes, std::size_t slot, std::size_t other) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (std::size_t i = files_.images.size(); i-- > 0;) {
    const ElfImage& image = files_.images[i];
    const std::uintptr_t offset = at - reinterpret_cast<std::uintptr_t>(base(slot, i));
    if (offset >= image.data_begin() && offset < image.span())
      return bytes <= image.span() - offset ? base(other, i) + offset : nullptr;
  }
  return nullptr;
}

const hindcast_program& Loader::entry_points(std::size_t slot) const {
  return *reinterpret_cast<const hindcast_program*>(base(slot, files_.images.size() - 1) + entry_points_offset_);
}

const std::byte* Loader::addresses_called(std::size_t slot) const {
  return base(slot, files_.images.size() - 1) + files_.program().dynamic(DT_PLTGOT);
}

void Loader::run_initialisers(std::size_t slot, const ProgramArguments& arguments) const {
  for (std::size_t i = 0; i < files_.images.size(); ++i) image(slot, i).run_initialisers(arguments);
}

void Loader::run_finalisers(std::size_t slot) {
  if (const auto opened = opened_.find(slot); opened != opened_.end()) opened->second.run_finalisers();
  for (std::size_t i = files_.images.size(); i-- > 0;) image(slot, i).run_finalisers();
  forget_code(slot);
}

}  // namespace hindcast::programs
