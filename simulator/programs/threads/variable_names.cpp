#include "simulator/programs/threads/variable_names.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace hindcast::programs {

namespace {

// C's names are not mangled, but the short ones would pass for types of C++: a for signed char.
std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : name;
}

// The whole table of symbols, which a program has unless it has been stripped of it.
std::string name_at(const std::string& file, std::uint64_t address) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file.data() + sections[i].sh_offset);
    const char* names = file.data() + sections[sections[i].sh_link].sh_offset;
    for (std::size_t j = 0; j < sections[i].sh_size / sizeof(Elf64_Sym); ++j) {
      const Elf64_Sym& symbol = symbols[j];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || address - symbol.st_value >= symbol.st_size) continue;
      const std::uint64_t within = address - symbol.st_value;
      const std::string name = demangled(names + symbol.st_name);
      return within == 0 ? name : fmt::format("{} (+ {} bytes)", name, within);
    }
  }
  return {};
}

}  // namespace

std::string name_of_variable(const Loader& loader, std::size_t slot, const void* address) {
  const std::optional<LoadedImage> loaded = loader.image_with(slot, address);
  if (!loaded || loaded->has_code(address)) return {};
  return name_at(loaded->image->bytes(),
                 static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - loaded->base));
}

}  // namespace hindcast::programs
