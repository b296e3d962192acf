// What an ELF file says about itself: its segments, what it needs, what has to be relocated in it.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hindcast::programs {

class ElfImage {
 public:
  // Throws ProgramError if the file is not a 64-bit ELF file of this machine's with a dynamic section.
  explicit ElfImage(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& bytes() const { return bytes_; }
  const std::vector<std::string>& needed() const { return needed_; }
  const std::vector<std::string>& run_paths() const { return run_paths_; }
  const std::string& own_name() const { return own_name_; }  // stands in a shared library's file; may be empty

  bool is_pie() const { return is_pie_ || header().e_type == ET_EXEC; }
  // As nested functions of Fortran and C want it whose addresses are taken.
  bool runs_code_on_stack() const { return runs_code_on_stack_; }
  bool has_tls() const { return tls_.p_memsz > 0; }
  const Elf64_Phdr& tls() const { return tls_; }
  // Whether every rank can be given a clone of one loaded image, rather than an image loaded for itself.
  bool can_be_cloned() const { return can_be_cloned_; }
  // Then the system's loader gives them a place that all simulated threads of a rank share.
  bool binds_thread_variables_statically() const { return binds_thread_variables_statically_; }

  // The image as it lies in memory, in bytes from its base: only the system's loader looks at [0, text_begin); code and
  // constants are in [text_begin, data_begin), variables in [data_begin, span), of which those from zeros_begin on
  // begin as zeros. All are whole pages.
  std::size_t text_begin() const { return text_begin_; }
  std::size_t data_begin() const { return data_begin_; }
  std::size_t zeros_begin() const { return zeros_begin_; }
  std::size_t span() const { return span_; }
  std::size_t unwind_table() const { return unwind_table_; }
  // The pages of the file up to here have no variables, which may begin before data_begin there.
  std::size_t code_end_in_file() const { return code_end_in_file_; }

  // What runs before main and after it, as the dynamic section names it; 0 for none.
  struct Functions {
    std::size_t single = 0;  // DT_INIT or DT_FINI: an address in the image
    std::size_t array = 0;   // DT_INIT_ARRAY or DT_FINI_ARRAY
    std::size_t array_count = 0;
  };
  const Functions& initialisers() const { return initialisers_; }
  const Functions& finalisers() const { return finalisers_; }

  struct Relocation {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;
  };
  void for_each_relocation(const std::function<void(const Relocation&)>& visit) const;
  std::size_t symbol_count() const { return symbol_count_; }  // 0 if the file has no section headers
  const Elf64_Sym& symbol(std::uint32_t index) const { return symbols_[index]; }
  std::string symbol_name(std::uint32_t index) const { return text_at(symbols_[index].st_name); }
  bool defines(std::uint32_t index) const { return symbols_[index].st_shndx != SHN_UNDEF; }
  // The symbol of this name that the image defines for others; null if there is none.
  const Elf64_Sym* exported(const std::string& name) const;
  // The symbol defined for others that an address of the image lies in; null if it lies in none.
  const Elf64_Sym* exported_around(std::uint64_t address) const;
  const char* text_of(const Elf64_Sym& symbol) const { return bytes_.data() + strings_ + symbol.st_name; }

  const Elf64_Ehdr& header() const { return *at<Elf64_Ehdr>(0); }
  const Elf64_Phdr* segments() const { return at<Elf64_Phdr>(header().e_phoff); }
  // Where in the file an address of the image is kept.
  std::size_t file_offset(std::uint64_t address) const;
  std::uint64_t dynamic(std::int64_t tag) const;  // 0 if there is none

 private:
  template <class Record>
  const Record* at(std::size_t offset, std::size_t count = 1) const {
    check_inside(offset, sizeof(Record) * count);
    return reinterpret_cast<const Record*>(bytes_.data() + offset);
  }
  void check_inside(std::size_t offset, std::size_t length) const;
  void read_segments();
  void read_dynamic_section();
  void read_sections();
  void judge_relocations();
  std::string text_at(std::uint64_t offset) const;

  std::string path_;
  std::string bytes_;
  std::vector<std::string> needed_;
  std::vector<std::string> run_paths_;
  std::string own_name_;
  std::vector<Elf64_Dyn> dynamic_;
  mutable std::unordered_map<std::string, std::uint32_t> exported_;  // made when it is asked for first
  const Elf64_Sym* symbols_ = nullptr;
  std::size_t symbol_count_ = 0;
  std::size_t strings_ = 0;
  Elf64_Phdr tls_{};
  std::size_t text_begin_ = 0;
  std::size_t data_begin_ = 0;
  std::size_t zeros_begin_ = 0;
  std::size_t span_ = 0;
  std::size_t unwind_table_ = 0;
  std::size_t code_end_in_file_ = 0;
  Functions initialisers_;
  Functions finalisers_;
  bool is_pie_ = false;
  bool runs_code_on_stack_ = false;
  bool is_laid_out_as_in_file_ = true;
  bool can_be_cloned_ = false;
  bool binds_thread_variables_statically_ = false;
};

}  // namespace hindcast::programs
