#include "simulator/programs/places/backtrace.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "simulator/programs/process/subprocess.hpp"

namespace hindcast::programs {

namespace {

// addr2line says "0x...: function at /path/file.c:12 (discriminator 3)", and one line more for each function inlined
// around.
std::string shortened(const std::string& line) {
  std::string text = line.substr(line.find(": ") + 2);
  text = text.substr(0, text.find(" (discriminator"));
  const std::size_t at = text.rfind(" at ");
  if (at == std::string::npos) return text;
  const std::string function = text.substr(0, at);
  const std::string where = std::filesystem::path(text.substr(at + 4)).filename();
  return where.ends_with("?") ? function : fmt::format("{} ({})", function, where);
}

// The ways in which a program ends itself: of interest is who took them.
bool is_a_way_out(const std::string& line) {
  const std::string function = line.substr(0, line.find(" ("));
  constexpr std::array<std::string_view, 3> archive = {"abort", "hindcast_rank_handle_signal", "__assert_fail"};
  constexpr std::array<std::string_view, 4> beginnings = {"std::terminate", "__cxa_", "__cxxabiv1::", "__gnu_cxx::"};
  return std::find(archive.begin(), archive.end(), function) != archive.end() ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](auto begin) { return function.starts_with(begin); });
}

// Recursion shows as one line.
class FrameLines {
 public:
  // False if there is no room for it.
  bool add(const std::string& line) {
    const bool is_another = rows_.empty() || rows_.back().line != line;
    if (is_another && rows_.size() == shown_max) return false;
    if (is_another) rows_.push_back({line, 0});
    ++rows_.back().times;
    return true;
  }

  // `are_more`: there are frames further out than those that were added.
  std::vector<std::string> lines(bool are_more) const {
    std::vector<std::string> lines;
    for (const Row& row : rows_) {
      const bool is_cut = are_more && &row == &rows_.back();
      const std::string times = row.times > 1 ? fmt::format(", {}{} times", is_cut ? "at least " : "", row.times) : "";
      lines.push_back(row.line + times + (is_cut && row.times == 1 ? ", and further callers" : ""));
    }
    return lines;
  }

 private:
  struct Row {
    std::string line;
    int times;
  };
  static constexpr std::size_t shown_max = 16;
  std::vector<Row> rows_;
};

std::vector<std::string> ask_addr2line(const std::string& file, std::uint64_t address) {
  std::istringstream answer(output_of({"addr2line", "-Cfipae", file, fmt::format("{:#x}", address)}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(answer, line);) {
    if (line.starts_with(" (inlined by) ")) line.replace(0, 14, ": ");
    if (line.find(": ") == std::string::npos || line.find(": ?? ??:") != std::string::npos) continue;
    lines.push_back(shortened(line));
  }
  return lines;
}

// A program without symbols, and the jumps to other libraries in any, have no function to name: the place in the file
// is the same in every run.
std::string place_in_file(const std::string& file, std::uint64_t address) {
  return fmt::format("{}+{:#x}", std::filesystem::path(file).filename().string(), address);
}

std::vector<std::string> describe_place(const CodePlace& place) {
  const auto& [file, address] = place;
  std::vector<std::string> described = ask_addr2line(file, address);
  if (described.empty()) described.push_back(place_in_file(file, address));
  std::erase_if(described, is_a_way_out);
  return described;
}

}  // namespace

std::optional<CodePlace> code_place(const Loader& loader, std::size_t slot, const void* code) {
  const std::optional<LoadedImage> loaded = loader.image_with(slot, code);
  if (!loaded || !loaded->has_code(code)) return std::nullopt;
  return CodePlace{loaded->image->path(),
                   static_cast<std::uint64_t>(static_cast<const std::byte*>(code) - loaded->base)};
}

std::vector<std::string> describe_frames(const Loader& loader, std::size_t slot, const std::vector<void*>& frames) {
  std::map<CodePlace, std::vector<std::string>> known;
  FrameLines lines;
  // The outermost frames are ours: without them more of the program's frames were there than were taken down.
  const bool are_more = frames.size() > 2 && code_place(loader, slot, frames.back()).has_value();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t before_return = i == 0 ? 0 : 1;
    const auto place = code_place(loader, slot, static_cast<const std::byte*>(frames[i]) - before_return);
    if (!place) continue;
    const auto [found, is_new] = known.try_emplace(*place);
    if (is_new) found->second = describe_place(*place);
    for (const std::string& line : found->second)
      if (!lines.add(line)) return lines.lines(true);
  }
  return lines.lines(are_more);
}

std::string describe_innermost(const Loader& loader, std::size_t slot, const std::vector<void*>& returns) {
  for (const void* frame : returns)
    if (const ProgramPlace place = place_of_frame(loader, slot, frame)) return place.text();
  return {};
}

std::string describe_code(const CodePlace& place) {
  const auto& [file, address] = place;
  const std::vector<std::string> described = ask_addr2line(file, address);
  return described.empty() ? place_in_file(file, address) : described.front();
}

std::string name_of_function_called(const Loader& loader, std::size_t slot, const std::vector<void*>& returns) {
  const auto program = std::find_if(returns.begin(), returns.end(), [&](const void* frame) {
    return code_place(loader, slot, static_cast<const std::byte*>(frame) - 1).has_value();
  });
  Dl_info found{};
  if (program == returns.begin() || program == returns.end()) return {};
  if (dladdr(*(program - 1), &found) == 0 || found.dli_sname == nullptr) return {};
  return found.dli_sname;
}

bool is_in_program(const Loader& loader, std::size_t slot, const void* code) {
  return code_place(loader, slot, code).has_value();
}

}  // namespace hindcast::programs
