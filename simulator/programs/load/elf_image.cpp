#include "simulator/programs/load/elf_image.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

constexpr std::uint64_t bytes_of_page = 4096;
std::uint64_t page_below(std::uint64_t address) { return address & ~(bytes_of_page - 1); }
std::uint64_t page_above(std::uint64_t address) { return page_below(address + bytes_of_page - 1); }

// Names, symbols and relocations.
bool is_for_loader(const Elf64_Shdr& section) {
  switch (section.sh_type) {
    case SHT_NULL:
    case SHT_NOTE:
    case SHT_HASH:
    case SHT_GNU_HASH:
    case SHT_DYNSYM:
    case SHT_STRTAB:
    case SHT_GNU_versym:
    case SHT_GNU_verneed:
    case SHT_GNU_verdef:
    case SHT_REL:
    case SHT_RELA:
      return true;
    default:
      return false;
  }
}

bool is_exported(const Elf64_Sym& symbol) {
  return symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
}

std::string read_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw ProgramError(path + ": " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw ProgramError(path + ": not a file");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  if (!file.read(bytes.data(), status.st_size)) throw ProgramError(path + ": " + std::strerror(errno));
  return bytes;
}

}  // namespace

ElfImage::ElfImage(const std::string& path) : path_(path), bytes_(read_file(path)) {
  if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0)
    throw ProgramError(path + ": not an executable program (it is no ELF file)");
  if (header().e_ident[EI_CLASS] != ELFCLASS64 || header().e_machine != EM_X86_64)
    throw ProgramError(path + ": built for another processor; hindcast runs x86-64 programs");
  if (header().e_type != ET_DYN && header().e_type != ET_EXEC)
    throw ProgramError(path + ": an object file, not a program; link it with hindcast-mpicc");
  read_segments();
  read_dynamic_section();
  read_sections();
  judge_relocations();
}

void ElfImage::check_inside(std::size_t offset, std::size_t length) const {
  if (offset > bytes_.size() || length > bytes_.size() - offset)
    throw ProgramError(path_ + ": a damaged ELF file (it ends too early)");
}

void ElfImage::read_segments() {
  at<Elf64_Phdr>(header().e_phoff, header().e_phnum);
  std::size_t writable = 0;
  std::uint64_t end = 0;
  for (int i = 0; i < header().e_phnum; ++i) {
    const Elf64_Phdr& segment = segments()[i];
    if (segment.p_type == PT_TLS) tls_ = segment;
    if (segment.p_type == PT_GNU_STACK) runs_code_on_stack_ = (segment.p_flags & PF_X) != 0;
    if (segment.p_type == PT_GNU_EH_FRAME) unwind_table_ = segment.p_vaddr;
    if (segment.p_type != PT_LOAD) continue;
    end = std::max(end, segment.p_vaddr + segment.p_memsz);
    if ((segment.p_flags & PF_W) != 0) {
      ++writable;
      data_begin_ = page_below(segment.p_vaddr);
      zeros_begin_ = page_above(segment.p_vaddr + segment.p_filesz);
      code_end_in_file_ = page_below(segment.p_offset);
    } else if (segment.p_vaddr != segment.p_offset || writable > 0) {
      is_laid_out_as_in_file_ = false;
    }
  }
  span_ = page_above(end);
  if (writable != 1) is_laid_out_as_in_file_ = false;
}

std::size_t ElfImage::file_offset(std::uint64_t address) const {
  for (int i = 0; i < header().e_phnum; ++i) {
    const Elf64_Phdr& segment = segments()[i];
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address < segment.p_vaddr + segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  }
  throw ProgramError(path_ + ": a damaged ELF file (an address outside its segments)");
}

std::uint64_t ElfImage::dynamic(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamic_)
    if (entry.d_tag == tag) return entry.d_un.d_val;
  return 0;
}

void ElfImage::read_dynamic_section() {
  for (int i = 0; i < header().e_phnum; ++i) {
    if (segments()[i].p_type != PT_DYNAMIC) continue;
    const std::size_t count = segments()[i].p_filesz / sizeof(Elf64_Dyn);
    const Elf64_Dyn* entries = at<Elf64_Dyn>(segments()[i].p_offset, count);
    dynamic_.assign(entries, entries + count);
    dynamic_.erase(std::find_if(dynamic_.begin(), dynamic_.end(), [](auto& entry) { return entry.d_tag == DT_NULL; }),
                   dynamic_.end());
  }
  if (dynamic_.empty()) throw ProgramError(path_ + ": statically linked; link it with hindcast-mpicc");
  strings_ = file_offset(dynamic(DT_STRTAB));
  is_pie_ = (dynamic(DT_FLAGS_1) & DF_1_PIE) != 0;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == DT_NEEDED) needed_.push_back(text_at(entry.d_un.d_val));
    if (entry.d_tag == DT_SONAME) own_name_ = text_at(entry.d_un.d_val);
    if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) run_paths_.push_back(text_at(entry.d_un.d_val));
  }
  initialisers_ = {dynamic(DT_INIT), dynamic(DT_INIT_ARRAY), dynamic(DT_INIT_ARRAYSZ) / sizeof(void*)};
  finalisers_ = {dynamic(DT_FINI), dynamic(DT_FINI_ARRAY), dynamic(DT_FINI_ARRAYSZ) / sizeof(void*)};
}

std::string ElfImage::text_at(std::uint64_t offset) const {
  const std::size_t begin = strings_ + offset;
  check_inside(begin, 1);
  const auto* text = bytes_.data() + begin;
  return {text, strnlen(text, bytes_.size() - begin)};
}

// Without section headers nothing is known of where the loader's part ends: it is then taken to be a part of the text.
void ElfImage::read_sections() {
  symbols_ = at<Elf64_Sym>(file_offset(dynamic(DT_SYMTAB)));
  const Elf64_Shdr* sections = at<Elf64_Shdr>(header().e_shoff, header().e_shnum);
  std::uint64_t lowest = header().e_shnum > 0 ? data_begin_ : 0;
  for (int i = 0; i < header().e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_type == SHT_DYNSYM) symbol_count_ = section.sh_size / sizeof(Elf64_Sym);
    const bool is_in_image = (section.sh_flags & SHF_ALLOC) != 0 && section.sh_addr < data_begin_;
    if (is_in_image && !is_for_loader(section)) lowest = std::min<std::uint64_t>(lowest, section.sh_addr);
  }
  text_begin_ = page_below(lowest);
}

const Elf64_Sym* ElfImage::exported(const std::string& name) const {
  if (exported_.empty())
    for (std::uint32_t i = 0; i < symbol_count_; ++i)
      if (is_exported(symbols_[i])) exported_.try_emplace(symbol_name(i), i);
  const auto found = exported_.find(name);
  return found == exported_.end() ? nullptr : &symbols_[found->second];
}

const Elf64_Sym* ElfImage::exported_around(std::uint64_t address) const {
  const Elf64_Sym* nearest = nullptr;
  for (const Elf64_Sym* symbol = symbols_; symbol < symbols_ + symbol_count_; ++symbol) {
    if (!is_exported(*symbol) || ELF64_ST_TYPE(symbol->st_info) == STT_TLS || address < symbol->st_value) continue;
    const std::uint64_t within = address - symbol->st_value;
    const bool lies_in_it = symbol->st_size == 0 ? within == 0 : within < symbol->st_size;
    if (lies_in_it && (nearest == nullptr || symbol->st_value > nearest->st_value)) nearest = symbol;
  }
  return nearest;
}

void ElfImage::for_each_relocation(const std::function<void(const Relocation&)>& visit) const {
  const auto visit_table = [&](std::uint64_t address, std::uint64_t size) {
    if (size == 0) return;
    const std::size_t count = size / sizeof(Elf64_Rela);
    const Elf64_Rela* table = at<Elf64_Rela>(file_offset(address), count);
    for (const Elf64_Rela* entry = table; entry < table + count; ++entry)
      visit({static_cast<std::uint32_t>(ELF64_R_TYPE(entry->r_info)), entry->r_offset,
             static_cast<std::uint32_t>(ELF64_R_SYM(entry->r_info)), entry->r_addend});
  };
  visit_table(dynamic(DT_RELA), dynamic(DT_RELASZ));
  visit_table(dynamic(DT_JMPREL), dynamic(DT_PLTRELSZ));
  // Packed: an even word is the address of one pointer, an odd one a bitmap of the 63 words after the last address.
  constexpr std::int64_t dt_relrsz = 35;
  constexpr std::int64_t dt_relr = 36;
  const std::size_t count = dynamic(dt_relrsz) / sizeof(std::uint64_t);
  const std::uint64_t* packed = count > 0 ? at<std::uint64_t>(file_offset(dynamic(dt_relr)), count) : nullptr;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (packed[i] % 2 == 0) {
      visit({R_X86_64_RELATIVE, packed[i], 0, 0});
      next = packed[i] + 8;
      continue;
    }
    for (int bit = 1; bit < 64; ++bit)
      if ((packed[i] >> bit & 1) != 0) visit({R_X86_64_RELATIVE, next + 8 * (bit - 1), 0, 0});
    next += 63 * 8;
  }
}

void ElfImage::judge_relocations() {
  bool changes_text = false;
  for_each_relocation([&](const Relocation& relocation) {
    if (relocation.offset < data_begin_) changes_text = true;
    if (relocation.type == R_X86_64_TPOFF64 || relocation.type == R_X86_64_TLSDESC)
      binds_thread_variables_statically_ = true;
  });
  can_be_cloned_ = is_laid_out_as_in_file_ && !binds_thread_variables_statically_ && !changes_text;
}

}  // namespace hindcast::programs
