// Every rank's program is a clone of one loaded image.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "simulator/programs/load/loader.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/load/unwind.hpp"
#include "simulator/programs/process/fortran_library.hpp"

namespace hindcast::programs {

namespace {

constexpr std::size_t page_bytes = 4096;

bool is_zero(const std::byte* begin, std::size_t bytes) {
  return std::all_of(begin, begin + bytes, [](std::byte value) { return value == std::byte{0}; });
}

class CloneLoader final : public Loader, private UnwindTables {
 public:
  CloneLoader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes) : Loader(std::move(files)) {
    loaded_ = load_files();
    std::size_t end = 0;
    for (std::size_t i = 0; i < loaded_.images.size(); ++i) {
      originals_.push_back({&files_.images[i], loaded_.images[i].base, end});
      end += files_.images[i].span();
    }
    for (Original& original : originals_) take_snapshot(original);
    arena_ = std::make_unique<Arena>(ranks, end, stack_bytes, GuardKind::best_available, files_.stack_kind());
    add_unwind_tables(*this);
  }
  ~CloneLoader() override {
    remove_unwind_tables(*this);
    for (const Original& original : originals_) close(original.file);
  }

  void load(std::size_t slot) override {
    for (const Original& original : originals_) {
      map_text(slot, original);
      copy_data(slot, original);
    }
    take_over_thread_variables(slot);
    arena_->install_guard(slot);
  }

  std::byte* base(std::size_t slot, std::size_t image) const override {
    return arena_->image(slot) + originals_[image].offset_in_slot;
  }
  const LoadedFiles& loaded_files(std::size_t) const override { return loaded_; }

 private:
  struct Pointer {
    std::uint64_t offset;
    std::size_t image;  // into which it points
  };
  struct Original {
    const ElfImage* image;
    std::byte* base;
    std::size_t offset_in_slot;
    int file = -1;
    std::vector<std::byte> data;  // up to the zeros, after relocation, before any of the program's code has run
    std::vector<Pointer> pointers;
  };

  void take_snapshot(Original& original) {
    original.file = open(original.image->path().c_str(), O_RDONLY | O_CLOEXEC);
    if (original.file < 0) throw ProgramError(original.image->path() + ": " + std::strerror(errno));
    original.data.assign(original.base + original.image->data_begin(), original.base + original.image->zeros_begin());
    original.image->for_each_relocation([&](const ElfImage::Relocation& relocation) {
      if (const std::optional<std::size_t> target = points_into(original, relocation))
        original.pointers.push_back({relocation.offset, *target});
    });
  }

  // Which image a relocated word points into, if any of ours.
  std::optional<std::size_t> points_into(const Original& original, const ElfImage::Relocation& relocation) const {
    const auto own = static_cast<std::size_t>(&original - originals_.data());
    std::uint64_t addend = 0;
    switch (relocation.type) {
      case R_X86_64_RELATIVE:
        return own;
      case R_X86_64_64:
        addend = static_cast<std::uint64_t>(relocation.addend);
        break;
      case R_X86_64_GLOB_DAT:
      case R_X86_64_JUMP_SLOT:
      case R_X86_64_IRELATIVE:
        break;
      default:
        return std::nullopt;
    }
    const auto* target = reinterpret_cast<std::byte*>(word(original.base, relocation.offset) - addend);
    for (std::size_t i = 0; i < originals_.size(); ++i)
      if (target >= originals_[i].base && target < originals_[i].base + originals_[i].image->span()) return i;
    const bool is_own_end = target == original.base + original.image->span();
    return is_own_end ? std::optional(own) : std::nullopt;
  }

  // Fortran's library is large, its pages are all ranks', but each rank's table of pages counts them. They come back by
  // themselves when they are wanted.
  void forget_code(std::size_t slot) const override {
    for (std::size_t i = 0; i < files_.libraries.size(); ++i) {
      if (!is_fortran_library(files_.libraries[i].name)) continue;
      const ElfImage& image = files_.images[i];
      madvise(base(slot, i) + image.text_begin(), image.data_begin() - image.text_begin(), MADV_DONTNEED);
    }
  }

  static std::uint64_t& word(std::byte* base, std::uint64_t offset) {
    return *reinterpret_cast<std::uint64_t*>(base + offset);
  }

  void map_text(std::size_t slot, const Original& original) {
    const std::size_t begin = original.image->text_begin();
    const std::size_t length = original.image->data_begin() - begin;
    if (mmap(arena_->image(slot) + original.offset_in_slot + begin, length, PROT_READ | PROT_EXEC,
             MAP_PRIVATE | MAP_FIXED, original.file, static_cast<off_t>(begin)) != MAP_FAILED)
      return;
    throw ProgramError(fmt::format("{}: cannot be mapped for rank {} of it ({}){}", original.image->path(), slot,
                                   std::strerror(errno),
                                   errno == ENOMEM ? "; vm.max_map_count limits how many mappings there can be" : ""));
  }

  void copy_data(std::size_t slot, const Original& original) {
    std::byte* clone = arena_->image(slot) + original.offset_in_slot;
    std::byte* data = clone + original.image->data_begin();
    for (std::size_t at = 0; at < original.data.size(); at += page_bytes)
      if (!is_zero(&original.data[at], page_bytes)) std::memcpy(data + at, &original.data[at], page_bytes);
    for (const Pointer& pointer : original.pointers) {
      const Original& target = originals_[pointer.image];
      word(clone, pointer.offset) +=
          static_cast<std::uint64_t>(arena_->image(slot) + target.offset_in_slot - target.base);
    }
  }

  std::optional<UnwindTable> table_for(const void* code) const override {
    const std::optional<std::size_t> slot = arena_->slot_of(code);
    if (!slot) return std::nullopt;
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      std::byte* begin = base(*slot, i);
      const ElfImage& image = *originals_[i].image;
      if (code >= begin && code < begin + image.span() && image.unwind_table() != 0)
        return UnwindTable{begin, begin + image.span(), begin + image.unwind_table()};
    }
    return std::nullopt;
  }

  LoadedFiles loaded_;
  std::vector<Original> originals_;
};

}  // namespace

std::unique_ptr<Loader> make_clone_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes) {
  return std::make_unique<CloneLoader>(std::move(files), ranks, stack_bytes);
}

}  // namespace hindcast::programs
