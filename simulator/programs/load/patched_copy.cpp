#include "simulator/programs/load/patched_copy.hpp"

#include <cstring>

#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

class Patcher {
 public:
  explicit Patcher(const ElfImage& image) : image_(image), bytes_(image.bytes()) {}

  void leave_data_writable() {
    for_each_segment([](Elf64_Phdr& segment) {
      if (segment.p_type == PT_GNU_RELRO) segment.p_type = PT_NULL;
    });
  }

  void take_out_constructors() {
    for_each_dynamic_entry([](Elf64_Dyn& entry) {
      switch (entry.d_tag) {
        case DT_INIT:
        case DT_INIT_ARRAY:
        case DT_INIT_ARRAYSZ:
        case DT_FINI:
        case DT_FINI_ARRAY:
        case DT_FINI_ARRAYSZ:
          entry.d_tag = DT_DEBUG;  // means nothing in a shared object
          entry.d_un.d_val = 0;
          break;
        default:
          break;
      }
    });
  }

  void rename(const std::vector<Renaming>& renamings) {
    const std::size_t strings = image_.file_offset(image_.dynamic(DT_STRTAB));
    for_each_dynamic_entry([&](Elf64_Dyn& entry) {
      if (entry.d_tag != DT_NEEDED) return;
      char* name = bytes_.data() + strings + entry.d_un.d_val;
      for (const auto& [from, to] : renamings) {
        if (from != name) continue;
        if (from.size() != to.size())
          throw ProgramError(from + ": too short a name for a shared library that others need");
        std::memcpy(name, to.data(), to.size());
      }
    });
  }

  void make_unique_symbols_ordinary() {
    for (std::uint32_t i = 0; i < image_.symbol_count(); ++i)
      if (ELF64_ST_BIND(image_.symbol(i).st_info) == STB_GNU_UNIQUE) bind_symbol(i, STB_GLOBAL);
  }

  // A weak symbol that nobody defines is no error.
  void let_be_missing(const std::function<bool(std::uint32_t)>& is_bound_later) {
    for (std::uint32_t i = 1; i < image_.symbol_count(); ++i)
      if (!image_.defines(i) && is_bound_later(i)) bind_symbol(i, STB_WEAK);
  }

  std::string result() { return std::move(bytes_); }

 private:
  void bind_symbol(std::uint32_t index, unsigned char binding) {
    const std::size_t begin = image_.file_offset(image_.dynamic(DT_SYMTAB));
    Elf64_Sym& symbol = reinterpret_cast<Elf64_Sym*>(bytes_.data() + begin)[index];
    symbol.st_info = ELF64_ST_INFO(binding, ELF64_ST_TYPE(symbol.st_info));
  }
  template <class Change>
  void for_each_segment(Change change) {
    auto* segments = reinterpret_cast<Elf64_Phdr*>(bytes_.data() + image_.header().e_phoff);
    for (int i = 0; i < image_.header().e_phnum; ++i) change(segments[i]);
  }
  template <class Change>
  void for_each_dynamic_entry(Change change) {
    for_each_segment([&](const Elf64_Phdr& segment) {
      if (segment.p_type != PT_DYNAMIC) return;
      auto* entry = reinterpret_cast<Elf64_Dyn*>(bytes_.data() + segment.p_offset);
      for (; entry->d_tag != DT_NULL; ++entry) change(*entry);
    });
  }

  const ElfImage& image_;
  std::string bytes_;
};

}  // namespace

std::string patched_copy(const ElfImage& image, const std::vector<Renaming>& renamings,
                         const std::function<bool(std::uint32_t)>& is_bound_later) {
  Patcher patcher(image);
  patcher.leave_data_writable();
  patcher.take_out_constructors();
  patcher.rename(renamings);
  patcher.make_unique_symbols_ordinary();
  if (is_bound_later) patcher.let_be_missing(is_bound_later);
  return patcher.result();
}

}  // namespace hindcast::programs
