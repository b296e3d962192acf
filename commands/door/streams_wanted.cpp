#include "commands/door/streams_wanted.hpp"

#include <ar.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>

namespace hindcast {

namespace {

namespace fs = std::filesystem;

// The parts of an object file. What lies outside of the file is empty.
class ObjectFile {
 public:
  explicit ObjectFile(std::string_view content) : content_(content) {}

  bool is_readable() const {
    return content_.size() >= sizeof(Elf64_Ehdr) && content_.starts_with(ELFMAG) && content_[EI_CLASS] == ELFCLASS64 &&
           header().e_type == ET_REL && header().e_machine == EM_X86_64;
  }
  std::vector<Elf64_Shdr> sections() const { return table<Elf64_Shdr>(header().e_shoff, header().e_shnum); }
  template <typename Entry>
  std::vector<Entry> entries(const Elf64_Shdr& section) const {
    return table<Entry>(section.sh_offset, section.sh_size / sizeof(Entry));
  }
  std::string_view text_at(const Elf64_Shdr& strings, std::size_t offset) const {
    const std::size_t at = strings.sh_offset + offset;
    if (at >= content_.size()) return {};
    return content_.substr(at, std::min(content_.find('\0', at), content_.size()) - at);
  }

 private:
  Elf64_Ehdr header() const {
    Elf64_Ehdr header;
    std::memcpy(&header, content_.data(), sizeof header);
    return header;
  }
  template <typename Entry>
  std::vector<Entry> table(std::size_t offset, std::size_t count) const {
    if (offset > content_.size() || count > (content_.size() - offset) / sizeof(Entry)) return {};
    std::vector<Entry> entries(count);
    if (count > 0) std::memcpy(entries.data(), content_.data() + offset, count * sizeof(Entry));
    return entries;
  }

  std::string_view content_;
};

bool is_stream(std::string_view name) { return name == "stdin" || name == "stdout" || name == "stderr"; }

// By a distance or an address of 32 bits, as code for executables does. Other code looks up where it is.
bool takes_to_be_near(const Elf64_Rela& relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
  return type == R_X86_64_PC32 || type == R_X86_64_32 || type == R_X86_64_32S;
}

bool object_wants_streams(std::string_view content) {
  const ObjectFile object(content);
  if (!object.is_readable()) return false;
  const std::vector<Elf64_Shdr> sections = object.sections();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_RELA || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& symbol_section = sections[section.sh_link];
    if (symbol_section.sh_link >= sections.size()) continue;
    const auto symbols = object.entries<Elf64_Sym>(symbol_section);
    for (const Elf64_Rela& relocation : object.entries<Elf64_Rela>(section)) {
      const auto symbol = ELF64_R_SYM(relocation.r_info);
      if (takes_to_be_near(relocation) && symbol < symbols.size() && symbols[symbol].st_shndx == SHN_UNDEF &&
          is_stream(object.text_at(sections[symbol_section.sh_link], symbols[symbol].st_name)))
        return true;
    }
  }
  return false;
}

bool archive_wants_streams(std::string_view content) {
  for (std::size_t at = SARMAG; at + sizeof(ar_hdr) <= content.size();) {
    ar_hdr header;
    std::memcpy(&header, content.data() + at, sizeof header);
    const auto bytes = std::strtoull(std::string(header.ar_size, sizeof header.ar_size).c_str(), nullptr, 10);
    at += sizeof header;
    if (object_wants_streams(content.substr(at, bytes))) return true;
    if (bytes > content.size() - at) return false;
    at += bytes + bytes % 2;
  }
  return false;
}

bool file_wants_streams(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return content.starts_with(ARMAG) ? archive_wants_streams(content) : object_wants_streams(content);
}

}  // namespace

bool take_streams_to_be_in_the_program(const std::vector<std::string>& words) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-L" && i + 1 < words.size()) folders.emplace_back(words[i + 1]);
    if (words[i].starts_with("-L") && words[i].size() > 2) folders.emplace_back(words[i].substr(2));
  }
  const auto wants_streams = [&](const std::string& word) {
    if (word.ends_with(".o") || word.ends_with(".a")) return file_wants_streams(word);
    if (!word.starts_with("-l") || word.size() == 2) return false;
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
      return file_wants_streams(folder / ("lib" + word.substr(2) + ".a"));
    });
  };
  return std::any_of(words.begin(), words.end(), wants_streams);
}

}  // namespace hindcast
