// An ELF file where it lies in memory, and what the system's loader does with it.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

// RTLD_DEEPBIND has a program find what it needs in itself and its libraries, before what SimGrid has brought along.
// AddressSanitizer's runtime does not allow it.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int loading_mode = RTLD_NOW | RTLD_LOCAL;
#else
inline constexpr int loading_mode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

// Where the system's loader has put a file, and the number that it has given to its thread-local variables; 0 if it has
// none.
std::byte* base_of(void* handle);
std::size_t module_of(void* handle);

// Whether the system's loader fills in the address of a symbol that is no thread-local variable.
bool holds_address_of_symbol(const ElfImage::Relocation& relocation);

// What a program's main function gets, and libraries' initialisers get too.
struct ProgramArguments {
  int count;
  char** values;
  char** environment;
};

struct LoadedImage {
  const ElfImage* image;
  std::byte* base;

  bool has(const void* address) const { return address >= base && address < base + image->span(); }
  bool has_code(const void* address) const { return address >= base && address < base + image->data_begin(); }
  std::uint64_t& word(std::uint64_t offset) const { return *reinterpret_cast<std::uint64_t*>(base + offset); }
  // Where a symbol lies that the image defines, and that is no thread-local variable.
  std::byte* address_of(const Elf64_Sym& symbol) const;
  void run_initialisers(const ProgramArguments& arguments) const;
  void run_finalisers() const;
};

}  // namespace hindcast::programs
