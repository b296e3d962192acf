#include "simulator/programs/load/opened/opened_libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/programs/load/loader.hpp"
#include "simulator/programs/load/loading_folder.hpp"
#include "simulator/programs/load/opened/opened_library.hpp"
#include "simulator/programs/load/own_libraries.hpp"
#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return std::filesystem::equivalent(one, other, ignored);
}

// The name by which others would need it is the one that stands in the file, or else the file's.
std::string name_of(const ElfImage& library) {
  return library.own_name().empty() ? std::filesystem::path(library.path()).filename().string() : library.own_name();
}

// The system's loader takes the launcher for the program: its handle stands for the rank's program here.
void* handle_of_program() { return dlopen(nullptr, RTLD_LAZY); }

void* opened_by_system(const char* path, int mode) {
  void* const handle = dlopen(path, mode);
  if (handle == nullptr && (mode & RTLD_NOLOAD) == 0) throw ProgramError(dlerror());
  return handle;
}

}  // namespace

OpenedLibraries::OpenedLibraries(Loader& loader, std::size_t slot) : loader_(loader), slot_(slot) {}

// A library goes before those that it needs.
OpenedLibraries::~OpenedLibraries() {
  while (!libraries_.empty()) libraries_.pop_back();
}

void* OpenedLibraries::open(const char* path, int mode, const void* from, const ProgramArguments& arguments) {
  if (path == nullptr) return handle_of_program();
  std::string file = path;
  if (file.find('/') == std::string::npos) {
    const std::optional<LoadedImage> opener = loader_.image_with(slot_, from);
    file = find_own_library(file, opener ? *opener->image : loader_.files().program());
    if (file.empty()) return opened_by_system(path, mode);
  }
  std::error_code failed;
  const std::string whole = std::filesystem::canonical(file, failed);
  if (failed) throw ProgramError(file + ": cannot open shared object file: " + failed.message());
  if (!is_each_ranks_own(whole)) return opened_by_system(path, mode);
  if (void* const handle = handle_in_program(whole)) return handle;
  return open_copy(whole, mode, arguments);
}

void* OpenedLibraries::handle_in_program(const std::string& path) const {
  const std::vector<OwnLibrary>& linked = loader_.files().libraries;
  for (std::size_t i = 0; i < linked.size(); ++i)
    if (is_same_file(linked[i].path, path)) return loader_.loaded_files(slot_).handles[i];
  return nullptr;
}

OpenedLibrary* OpenedLibraries::from_file(const std::string& path) const {
  const auto found = std::ranges::find_if(
      libraries_, [&](const auto& library) { return is_same_file(library->image().path(), path); });
  return found == libraries_.end() ? nullptr : found->get();
}

OpenedLibrary* OpenedLibraries::with_handle(void* handle) const {
  const auto found = std::ranges::find_if(libraries_, [&](const auto& library) { return library->handle() == handle; });
  return found == libraries_.end() ? nullptr : found->get();
}

void* OpenedLibraries::open_copy(const std::string& path, int mode, const ProgramArguments& arguments) {
  OpenedLibrary* library = from_file(path);
  if (library == nullptr) {
    if ((mode & RTLD_NOLOAD) != 0) return nullptr;
    library = &load(path);
  }
  ++library->times_opened;
  library->is_global |= (mode & RTLD_GLOBAL) != 0;
  library->stays_open |= (mode & RTLD_NODELETE) != 0;
  void* const handle = library->handle();
  begin_those_loaded(arguments);
  return handle;
}

// What it needs and the rank has not is loaded before it.
OpenedLibrary& OpenedLibraries::load(const std::string& path) {
  const std::shared_ptr<const ElfImage> image = loader_.library_files().of(path);
  std::vector<OwnLibrary> files = own_libraries(*image);
  std::erase_if(files, [&](const OwnLibrary& file) {
    return handle_in_program(file.path) != nullptr || from_file(file.path) != nullptr;
  });
  files.push_back({name_of(*image), path});
  const std::size_t before = libraries_.size();
  const LoadingFolder folder;
  try {
    for (const OwnLibrary& file : files)
      libraries_.push_back(
          std::make_unique<OpenedLibrary>(loader_.library_files().of(file.path), file.name, folder, scope_));
  } catch (...) {
    while (libraries_.size() > before) libraries_.pop_back();
    throw;
  }
  return *libraries_.back();
}

// An initialiser may open others.
void OpenedLibraries::begin_those_loaded(const ProgramArguments& arguments) {
  for (std::size_t i = 0; i < libraries_.size(); ++i)
    if (!std::exchange(libraries_[i]->has_begun, true)) libraries_[i]->loaded().run_initialisers(arguments);
}

void OpenedLibraries::close(void* handle) {
  OpenedLibrary* const library = with_handle(handle);
  if (library != nullptr) {
    if (library->times_opened == 0) throw ProgramError(library->image().path() + ": shared object not open");
    if (--library->times_opened == 0) drop_those_closed();
    return;
  }
  const std::vector<void*>& linked = loader_.loaded_files(slot_).handles;
  if (std::ranges::find(linked, handle) != linked.end()) return;
  if (dlclose(handle) != 0) throw ProgramError(dlerror());
}

bool OpenedLibraries::can_go(const OpenedLibrary& library) const {
  return library.times_opened == 0 && !library.stays_open &&
         std::ranges::none_of(libraries_, [&](const auto& other) { return other->needs(library); });
}

// What the program has closed goes, and then what that alone has needed. A finaliser may close others.
void OpenedLibraries::drop_those_closed() {
  const auto next = [&] {
    return std::ranges::find_if(libraries_.rbegin(), libraries_.rend(), [&](const auto& one) { return can_go(*one); });
  };
  for (auto found = next(); found != libraries_.rend(); found = next()) {
    const std::unique_ptr<OpenedLibrary> library = std::move(*found);
    libraries_.erase(std::next(found).base());
    library->loaded().run_finalisers();
  }
}

void* OpenedLibraries::find(void* handle, const char* name) const {
  if (handle == RTLD_DEFAULT || handle == handle_of_program()) return find_in_all(name);
  dlerror();
  void* found = dlsym(handle, name);
  // MPI's calls come behind those that a program defines itself.
  if (found == nullptr && handle == RTLD_NEXT) found = dlsym(dlopen(library_name, RTLD_LAZY | RTLD_NOLOAD), name);
  if (const char* const why = found == nullptr ? dlerror() : nullptr)
    throw ProgramError(with_own_names(why, scope_.renamings()));
  OpenedLibrary* const library = with_handle(handle);
  const Elf64_Sym* const symbol = library == nullptr ? nullptr : library->image().exported(name);
  if (symbol != nullptr && ELF64_ST_TYPE(symbol->st_info) == STT_TLS && library->thread_variables() != nullptr)
    return library->thread_variables()->of_current_thread() + symbol->st_value;
  return scope_.in_rank(static_cast<std::byte*>(found));
}

void* OpenedLibraries::find_in_all(const std::string& name) const {
  if (std::byte* const found = scope_.address_of(name)) return found;
  if (const auto variable = scope_.thread_variable(name))
    return variable->block->of_current_thread() + variable->offset;
  void* const program = loader_.loaded_files(slot_).handles.back();
  void* found = dlsym(program, name.c_str());
  if (found == nullptr) found = dlsym(RTLD_DEFAULT, name.c_str());
  if (found == nullptr)
    throw ProgramError(fmt::format("{}: undefined symbol: {}", loader_.files().program().path(), name));
  return scope_.in_rank(static_cast<std::byte*>(found));
}

bool OpenedLibraries::describe(const void* address, Dl_info& info) const {
  const std::optional<LoadedImage> loaded = loader_.image_with(slot_, address);
  if (!loaded) return false;
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - loaded->base);
  const Elf64_Sym* const symbol = loaded->image->exported_around(offset);
  info.dli_fname = loaded->image->path().c_str();
  info.dli_fbase = loaded->base;
  info.dli_sname = symbol == nullptr ? nullptr : loaded->image->text_of(*symbol);
  info.dli_saddr = symbol == nullptr ? nullptr : loaded->base + symbol->st_value;
  return true;
}

void OpenedLibraries::note_error(const std::string& text) {
  error_ = text;
  has_untold_error_ = true;
}

const char* OpenedLibraries::take_error() { return std::exchange(has_untold_error_, false) ? error_.c_str() : nullptr; }

void OpenedLibraries::keep_open(const void* address) {
  for (const auto& library : libraries_)
    if (library->loaded().has(address)) library->stays_open = true;
}

void OpenedLibraries::run_finalisers() {
  for (std::size_t i = libraries_.size(); i-- > 0;)
    if (libraries_[i]->has_begun) libraries_[i]->loaded().run_finalisers();
}

void OpenedLibraries::forget_thread_variables(int thread) {
  for (const auto& library : libraries_)
    if (ThreadVariables* const variables = library->thread_variables()) variables->forget_thread(thread);
}

std::optional<LoadedImage> OpenedLibraries::image_with(const void* address) const {
  for (const auto& library : libraries_)
    if (library->loaded().has(address)) return library->loaded();
  return std::nullopt;
}

}  // namespace hindcast::programs
