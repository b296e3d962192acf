#include "commands/run/no_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace hindcast {

namespace {

// What a program is made of.
struct Part {
  std::string_view kind;
  std::string_view command;  // that makes a program of it
  std::string_view suffixes;
};

constexpr std::array parts_of_programs{
    Part{"a source file", "cc -O2", " .c "},
    Part{"a source file", "c++ -O2", " .cc .cpp .cxx .c++ .C "},
    Part{"a source file", "fc -O2", " .f .F .for .FOR .f77 .f90 .F90 .f95 .F95 .f03 .F03 .f08 .F08 "},
    Part{"an object file", "cc", " .o "},
};

}  // namespace

void refuse_what_is_no_program(const std::string& file, int ranks) {
  const std::filesystem::path path = file;
  const std::string suffix = path.extension().string();
  std::error_code error;
  if (suffix.empty() || !std::filesystem::is_regular_file(path, error)) return;
  if (suffix == ".toml")
    throw std::invalid_argument(
        fmt::format("{0}: not a program: 'hindcast run -m {0} PROGRAM' runs one on the machine of such a file, and "
                    "'hindcast experiment run {0}' an experiment",
                    file));
  const auto* const found = std::find_if(parts_of_programs.begin(), parts_of_programs.end(), [&](const Part& part) {
    return part.suffixes.find(fmt::format(" {} ", suffix)) != std::string_view::npos;
  });
  if (found == parts_of_programs.end()) return;
  const std::string program = path.stem().string();
  throw std::invalid_argument(
      fmt::format("{0}: {1}, not a program: 'hindcast {2} -o {3} {0}' makes one, and 'hindcast "
                  "run -n {4} ./{3}' runs it",
                  file, found->kind, found->command, program, ranks));
}

}  // namespace hindcast
