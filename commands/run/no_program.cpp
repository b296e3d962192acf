#include "commands/run/no_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace hindcast {

namespace {

struct Suffix {
  std::string_view text;
  std::string_view kind;
  std::string_view command;  // that makes a program of the file
};

constexpr std::array suffixes{
    Suffix{".c", "a source file", "cc -O2"},    Suffix{".cc", "a source file", "c++ -O2"},
    Suffix{".cpp", "a source file", "c++ -O2"}, Suffix{".cxx", "a source file", "c++ -O2"},
    Suffix{".C", "a source file", "c++ -O2"},   Suffix{".o", "an object file", "cc"},
};

}  // namespace

void refuse_what_is_no_program(const std::string& file, int ranks) {
  const std::filesystem::path path = file;
  const auto found = std::find_if(suffixes.begin(), suffixes.end(),
                                  [&](const Suffix& suffix) { return suffix.text == path.extension().string(); });
  std::error_code error;
  if (found == suffixes.end() || !std::filesystem::is_regular_file(path, error)) return;
  const std::string program = path.stem().string();
  throw std::invalid_argument(
      fmt::format("{0}: {1}, not a program: 'hindcast {2} -o {3} {0}' makes one, and 'hindcast "
                  "run -n {4} ./{3}' runs it",
                  file, found->kind, found->command, program, ranks));
}

}  // namespace hindcast
