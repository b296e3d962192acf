#include "commands/check/object_symbols.hpp"

#include <ar.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace hindcast {

namespace {

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A record at an offset; zeros if the file is shorter.
template <class Record>
Record record_at(std::string_view bytes, std::size_t offset) {
  Record record{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(Record))
    std::memcpy(&record, bytes.data() + offset, sizeof(Record));
  return record;
}

bool is_object(std::string_view bytes) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_type == ET_REL;
}

std::string text_at(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

void add_table(std::string_view bytes, const Elf64_Ehdr& header, const Elf64_Shdr& table, ObjectSymbols& found) {
  const auto names = record_at<Elf64_Shdr>(bytes, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = record_at<Elf64_Sym>(bytes, table.sh_offset + at);
    const bool is_shared = ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
    if (!is_shared || symbol.st_name == 0) continue;
    (symbol.st_shndx == SHN_UNDEF ? found.called : found.defined)
        .insert(text_at(bytes, names.sh_offset + symbol.st_name));
  }
}

void add_object(std::string_view bytes, ObjectSymbols& found) {
  const auto header = record_at<Elf64_Ehdr>(bytes, 0);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == SHT_SYMTAB) add_table(bytes, header, section, found);
  }
}

void add_members(std::string_view bytes, ObjectSymbols& found) {
  for (std::size_t at = SARMAG; at + sizeof(ar_hdr) <= bytes.size();) {
    const auto header = record_at<ar_hdr>(bytes, at);
    const auto size = static_cast<std::size_t>(std::strtoull(std::string(header.ar_size, 10).c_str(), nullptr, 10));
    at += sizeof(ar_hdr);
    const std::string_view member = bytes.substr(at, size);
    if (is_object(member)) add_object(member, found);
    at += size + size % 2;
  }
}

}  // namespace

std::optional<ObjectSymbols> read_object_symbols(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::string bytes = bytes_of_file(path);
  ObjectSymbols found;
  if (is_object(bytes)) {
    found.kind = "an object file";
    add_object(bytes, found);
    return found;
  }
  if (!std::string_view(bytes).starts_with(ARMAG)) return std::nullopt;
  found.kind = "a library of object files";
  add_members(bytes, found);
  return found;
}

}  // namespace hindcast
