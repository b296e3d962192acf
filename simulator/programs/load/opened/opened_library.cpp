#include "simulator/programs/load/opened/opened_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "simulator/programs/load/loader.hpp"
#include "simulator/programs/load/opened/rank_scope.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/fortran_library.hpp"

namespace hindcast::programs {

namespace {

// A library that no other needs by its name may have one that is too short to be changed.
std::string name_to_load_by(const std::string& name) {
  constexpr std::size_t enough = 8;
  return fresh_name(name.size() >= enough ? name : name + std::string(enough - name.size(), '_'));
}

}  // namespace

OpenedLibrary::OpenedLibrary(std::shared_ptr<const ElfImage> image, const std::string& name,
                             const LoadingFolder& folder, const RankScope& scope)
    : image_(std::move(image)), renaming_(name, name_to_load_by(name)), is_fortran_(is_fortran_library(name)) {
  std::vector<Renaming> renamings = scope.renamings();
  folder.write(renaming_.second,
               patched_copy(*image_, renamings, [&](std::uint32_t symbol) { return is_bound_by_us(symbol, scope); }));
  handle_ = dlopen(renaming_.second.c_str(), loading_mode);
  if (handle_ == nullptr) {
    renamings.push_back(renaming_);
    const std::string why = with_own_names(dlerror(), renamings);
    throw ProgramError(why.starts_with(name + ":") ? image_->path() + why.substr(name.size())
                                                   : image_->path() + ": " + why);
  }
  base_ = base_of(handle_);
  if (image_->has_tls() && !image_->binds_thread_variables_statically()) variables_.emplace(base_, image_->tls());
  bind(scope);
  share_code(folder.path_of(renaming_.second));
}

OpenedLibrary::~OpenedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

bool OpenedLibrary::needs(const OpenedLibrary& other) const {
  return std::ranges::find(image_->needed(), other.renaming_.first) != image_->needed().end();
}

bool OpenedLibrary::is_bound_by_us(std::uint32_t symbol, const RankScope& scope) const {
  const std::string name = image_->symbol_name(symbol);
  if (ELF64_ST_TYPE(image_->symbol(symbol).st_info) == STT_TLS) return scope.thread_variable(name).has_value();
  return scope.address_of(name) != nullptr;
}

// Nothing of the library has run by now.
void OpenedLibrary::bind(const RankScope& scope) {
  image_->for_each_relocation([&](const ElfImage::Relocation& relocation) {
    if (holds_address_of_symbol(relocation)) bind_address(relocation, scope);
    if (variables_ || !image_->has_tls()) bind_thread_variable(relocation, scope);
  });
}

void OpenedLibrary::bind_address(const ElfImage::Relocation& relocation, const RankScope& scope) {
  std::uint64_t& word = loaded().word(relocation.offset);
  const auto addend = static_cast<std::uint64_t>(relocation.type == R_X86_64_64 ? relocation.addend : 0);
  void* own = address_instead(relocation.symbol, scope);
  if (own == nullptr) own = scope.in_rank(reinterpret_cast<std::byte*>(word - addend));
  word = reinterpret_cast<std::uint64_t>(own) + addend;
}

// What comes before the address that the system's loader has found; null if nothing does.
void* OpenedLibrary::address_instead(std::uint32_t symbol, const RankScope& scope) const {
  if (image_->defines(symbol)) return nullptr;
  const std::string name = image_->symbol_name(symbol);
  if (name == "__tls_get_addr") return reinterpret_cast<void*>(&find_thread_variable);
  void* const of_fortran = is_fortran_ ? replacement_for_fortran(name) : nullptr;
  return of_fortran != nullptr ? of_fortran : scope.address_of(name);
}

void OpenedLibrary::bind_thread_variable(const ElfImage::Relocation& relocation, const RankScope& scope) {
  if (relocation.type != R_X86_64_DTPMOD64 && relocation.type != R_X86_64_DTPOFF64) return;
  const bool is_another_ones = relocation.symbol != 0 && !image_->defines(relocation.symbol);
  const auto other = is_another_ones ? scope.thread_variable(image_->symbol_name(relocation.symbol)) : std::nullopt;
  std::uint64_t& word = loaded().word(relocation.offset);
  if (relocation.type == R_X86_64_DTPOFF64) {
    if (other) word = other->offset + static_cast<std::uint64_t>(relocation.addend);
    return;
  }
  ThreadVariables* block = other ? other->block : nullptr;
  if (block == nullptr && word == module_of(handle_)) block = thread_variables();
  if (block == nullptr) block = scope.thread_variables_of(word);
  if (block != nullptr) word = reinterpret_cast<std::uint64_t>(block);
}

// Its code is the file's, of which all ranks map the same pages, and the copy needs no memory for it.
void OpenedLibrary::share_code(const std::string& copy) const {
  if (!image_->can_be_cloned()) return;
  const std::size_t begin = image_->text_begin();
  const int file = open(image_->path().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const void* const shared = mmap(base_ + begin, image_->data_begin() - begin, PROT_READ | PROT_EXEC,
                                  MAP_PRIVATE | MAP_FIXED, file, static_cast<off_t>(begin));
  close(file);
  const int copied = open(copy.c_str(), O_RDWR | O_CLOEXEC);
  if (copied < 0) return;
  if (shared != MAP_FAILED)
    fallocate(copied, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
              static_cast<off_t>(image_->code_end_in_file() - begin));
  close(copied);
}

}  // namespace hindcast::programs
