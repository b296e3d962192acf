#include "simulator/programs/load/loader.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>

#include "simulator/programs/load/patched_copy.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/thread_variables.hpp"

namespace hindcast::programs {

namespace {

// A folder that lives as long as files are loaded from it. It is the working directory meanwhile, because a library's
// new name, of the same length as its old one, is a path relative to it.
class LoadingFolder {
 public:
  LoadingFolder() {
    const char* temporary = std::getenv("TMPDIR");
    for (const std::string& parent : {std::string("/dev/shm"), std::string(temporary ? temporary : "/tmp")})
      if (can_execute_from(parent) && make_in(parent)) break;
    if (path_.empty()) throw ProgramError("neither /dev/shm nor TMPDIR takes files that can be executed");
    before_ = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    std::filesystem::current_path(path_);
  }
  ~LoadingFolder() {
    if (before_ >= 0) {
      [[maybe_unused]] const int result = fchdir(before_);
      close(before_);
    }
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  LoadingFolder(const LoadingFolder&) = delete;
  LoadingFolder& operator=(const LoadingFolder&) = delete;

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  void write(const std::string& name, const std::string& bytes) const {
    const std::string path = path_of(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw ProgramError(path + ": cannot be written; is the file system full?");
  }

 private:
  static bool can_execute_from(const std::string& folder) {
    struct statvfs status {};
    return statvfs(folder.c_str(), &status) == 0 && (status.f_flag & ST_NOEXEC) == 0;
  }
  bool make_in(const std::string& parent) {
    std::string pattern = parent + "/hindcast.XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) return false;
    path_ = pattern;
    return true;
  }

  std::string path_;
  int before_ = -1;
};

// A name that no image of this process has had, as long as the old one: its first characters make a folder's name.
std::string fresh_name(const std::string& name) {
  constexpr std::size_t digits = 4;
  constexpr std::string_view alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static std::uint64_t count = 0;
  if (name.size() < digits + 2) throw ProgramError(name + ": too short a name for a shared library of a program's own");
  std::string fresh = name;
  std::uint64_t rest = count++;
  for (std::size_t i = 0; i < digits; ++i, rest /= alphabet.size()) fresh[i] = alphabet[rest % alphabet.size()];
  fresh[digits] = '/';
  return fresh;
}

std::byte* base_of(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  return reinterpret_cast<std::byte*>(map->l_addr);
}

// Deep: what the program needs is looked for in itself and its libraries before what SimGrid has brought along.
// AddressSanitizer's runtime does not allow that.
#ifdef __SANITIZE_ADDRESS__
constexpr int loading_mode = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int loading_mode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

void call_each(std::byte* base, const ElfImage::Functions& functions, const std::function<void(void*)>& call,
               bool backwards) {
  auto** array = reinterpret_cast<void**>(base + functions.array);
  if (!backwards && functions.single != 0) call(base + functions.single);
  for (std::size_t i = 0; i < functions.array_count; ++i) call(array[backwards ? functions.array_count - 1 - i : i]);
  if (backwards && functions.single != 0) call(base + functions.single);
}

[[noreturn]] void refuse_of_another_version(const std::string& path) {
  throw ProgramError(path + ": not linked by this hindcast; link it with hindcast-mpicc");
}

// What the library no longer has may be missed before the program's version can be looked at.
[[noreturn]] void refuse_unloadable(const std::string& path, const std::string& why) {
  if (why.find("undefined symbol: hindcast_") != std::string::npos) refuse_of_another_version(path);
  throw ProgramError(fmt::format("{}: {}", path, why));
}

// The system's loader tells of libraries by the names that they were given for it.
std::string with_own_names(std::string text, const std::vector<Renaming>& renamings) {
  for (const auto& [own, given] : renamings)
    for (std::size_t at = text.find(given); at != std::string::npos; at = text.find(given, at + own.size()))
      text.replace(at, given.size(), own);
  return text;
}

}  // namespace

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

std::vector<std::byte*> Loader::load_files() {
  std::vector<Renaming> renamings;
  for (const OwnLibrary& library : files_.libraries) renamings.emplace_back(library.name, fresh_name(library.name));
  const LoadingFolder folder;
  for (std::size_t i = 0; i < renamings.size(); ++i)
    folder.write(renamings[i].second, patched_copy(files_.images[i], renamings));
  const std::string name = std::filesystem::path(files_.program().path()).filename();
  folder.write(name, patched_copy(files_.program(), renamings));

  void* program = dlopen(folder.path_of(name).c_str(), loading_mode);
  if (program == nullptr) refuse_unloadable(files_.program().path(), with_own_names(dlerror(), renamings));
  std::vector<void*> handles;
  for (const Renaming& renaming : renamings) {
    handles.push_back(dlopen(renaming.second.c_str(), RTLD_NOW | RTLD_NOLOAD));
    if (handles.back() == nullptr) throw ProgramError(fmt::format("{}: {}", renaming.first, dlerror()));
  }
  handles.push_back(program);
  std::vector<std::byte*> bases;
  for (void* handle : handles) bases.push_back(base_of(handle));
  const auto* entry_points = static_cast<const hindcast_program*>(dlsym(program, "hindcast_program"));
  if (entry_points == nullptr || entry_points->version != HINDCAST_PROGRAM_VERSION)
    refuse_of_another_version(files_.program().path());
  entry_points_offset_ = reinterpret_cast<const std::byte*>(entry_points) - bases.back();
  bind_libraries_to(program, bases);
  if (block_references_.empty()) find_thread_variable_references(bases, handles);
  return bases;
}

void Loader::bind_libraries_to(void* program, const std::vector<std::byte*>& bases) const {
  for (std::size_t i = 0; i + 1 < bases.size(); ++i) {
    const ElfImage& library = files_.images[i];
    const bool is_fortran = is_fortran_library(files_.libraries[i].name);
    library.for_each_relocation([&](const ElfImage::Relocation& relocation) {
      const bool is_pointer = relocation.type == R_X86_64_GLOB_DAT || relocation.type == R_X86_64_JUMP_SLOT ||
                              relocation.type == R_X86_64_64;
      if (!is_pointer || library.symbol(relocation.symbol).st_shndx != SHN_UNDEF) return;
      const std::string name = library.symbol_name(relocation.symbol);
      void* own = is_fortran ? replacement_for_fortran(name) : nullptr;
      if (own == nullptr) own = dlsym(program, ("hindcast_own_" + name).c_str());
      if (own != nullptr)
        *reinterpret_cast<std::byte**>(bases[i] + relocation.offset) = static_cast<std::byte*>(own) + relocation.addend;
    });
  }
}

void Loader::find_thread_variable_references(const std::vector<std::byte*>& bases, const std::vector<void*>& handles) {
  std::map<std::size_t, std::size_t> image_of_module;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    std::size_t module = 0;
    dlinfo(handles[i], RTLD_DI_TLS_MODID, &module);
    if (module != 0) image_of_module[module] = i;
  }
  for (std::size_t i = 0; i < bases.size(); ++i) {
    files_.images[i].for_each_relocation([&](const ElfImage::Relocation& relocation) {
      if (relocation.type == R_X86_64_DTPMOD64) {
        const auto owner = image_of_module.find(*reinterpret_cast<std::size_t*>(bases[i] + relocation.offset));
        if (owner != image_of_module.end()) block_references_.push_back({i, relocation.offset, owner->second});
      }
      const bool is_pointer = relocation.type == R_X86_64_GLOB_DAT || relocation.type == R_X86_64_JUMP_SLOT;
      if (is_pointer && files_.images[i].symbol_name(relocation.symbol) == "__tls_get_addr")
        search_references_.push_back({i, relocation.offset});
    });
  }
}

void Loader::take_over_thread_variables(std::size_t slot) {
  if (block_references_.empty()) return;
  std::vector<ThreadVariables*> of_image;
  for (std::size_t i = 0; i < files_.images.size(); ++i)
    of_image.push_back(&thread_variables_[slot].emplace_back(base(slot, i), files_.images[i].tls()));
  for (const BlockReference& reference : block_references_)
    *reinterpret_cast<ThreadVariables**>(base(slot, reference.image) + reference.offset) = of_image[reference.owner];
  for (const SearchReference& reference : search_references_)
    *reinterpret_cast<void**>(base(slot, reference.image) + reference.offset) =
        reinterpret_cast<void*>(&find_thread_variable);
}

void Loader::forget_thread_variables(std::size_t slot, int index) {
  const auto found = thread_variables_.find(slot);
  if (found == thread_variables_.end()) return;
  for (ThreadVariables& variables : found->second) variables.forget_thread(index);
}

void Loader::unload(std::size_t slot) {
  thread_variables_.erase(slot);
  arena_->clear(slot);
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

void Loader::run_initialisers(std::size_t slot, int argc, char** argv, char** environment) const {
  for (std::size_t i = 0; i < files_.images.size(); ++i)
    call_each(
        base(slot, i), files_.images[i].initialisers(),
        [&](void* function) { reinterpret_cast<void (*)(int, char**, char**)>(function)(argc, argv, environment); },
        false);
}

void Loader::run_finalisers(std::size_t slot) const {
  for (std::size_t i = files_.images.size(); i-- > 0;)
    call_each(
        base(slot, i), files_.images[i].finalisers(), [](void* function) { reinterpret_cast<void (*)()>(function)(); },
        true);
  forget_code(slot);
}

}  // namespace hindcast::programs
