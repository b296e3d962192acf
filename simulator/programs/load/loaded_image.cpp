#include "simulator/programs/load/loaded_image.hpp"

#include <link.h>

namespace hindcast::programs {

namespace {

using Initialiser = void (*)(int, char**, char**);
using Finaliser = void (*)();

}  // namespace

std::byte* base_of(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  return reinterpret_cast<std::byte*>(map->l_addr);
}

std::size_t module_of(void* handle) {
  std::size_t module = 0;
  dlinfo(handle, RTLD_DI_TLS_MODID, &module);
  return module;
}

bool holds_address_of_symbol(const ElfImage::Relocation& relocation) {
  return relocation.type == R_X86_64_GLOB_DAT || relocation.type == R_X86_64_JUMP_SLOT ||
         relocation.type == R_X86_64_64;
}

std::byte* LoadedImage::address_of(const Elf64_Sym& symbol) const {
  const bool is_number = symbol.st_shndx == SHN_ABS;
  std::byte* const address = is_number ? reinterpret_cast<std::byte*>(symbol.st_value) : base + symbol.st_value;
  if (ELF64_ST_TYPE(symbol.st_info) != STT_GNU_IFUNC) return address;
  return reinterpret_cast<std::byte* (*)()>(address)();  // it chooses a function for this processor
}

void LoadedImage::run_initialisers(const ProgramArguments& arguments) const {
  const ElfImage::Functions& functions = image->initialisers();
  const auto call = [&](auto* address) {
    reinterpret_cast<Initialiser>(address)(arguments.count, arguments.values, arguments.environment);
  };
  if (functions.single != 0) call(base + functions.single);
  auto** array = reinterpret_cast<void**>(base + functions.array);
  for (std::size_t i = 0; i < functions.array_count; ++i) call(array[i]);
}

void LoadedImage::run_finalisers() const {
  const ElfImage::Functions& functions = image->finalisers();
  auto** array = reinterpret_cast<Finaliser*>(base + functions.array);
  for (std::size_t i = functions.array_count; i-- > 0;) array[i]();
  if (functions.single != 0) reinterpret_cast<Finaliser>(base + functions.single)();
}

}  // namespace hindcast::programs
