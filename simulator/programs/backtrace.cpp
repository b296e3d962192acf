#include "simulator/programs/backtrace.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>

#include "simulator/programs/subprocess.hpp"

namespace hindcast::programs {

namespace {

struct CodePlace {
  std::size_t image;
  std::uint64_t address;
};

std::optional<CodePlace> place_of(const Loader& loader, std::size_t slot, const void* code) {
  for (std::size_t i = 0; i < loader.files().images.size(); ++i) {
    const std::byte* base = loader.base(slot, i);
    if (code >= base && code < base + loader.files().images[i].data_begin())
      return CodePlace{i, static_cast<std::uint64_t>(static_cast<const std::byte*>(code) - base)};
  }
  return std::nullopt;
}

// addr2line says "0x...: function at /path/file.c:12 (discriminator 3)", and one line more for each function inlined around.
std::string shortened(const std::string& line) {
  std::string text = line.substr(line.find(": ") + 2);
  text = text.substr(0, text.find(" (discriminator"));
  const std::size_t at = text.rfind(" at ");
  if (at == std::string::npos) return text;
  const std::string function = text.substr(0, at);
  const std::string where = std::filesystem::path(text.substr(at + 4)).filename();
  return where.starts_with("?") ? function : fmt::format("{} ({})", function, where);
}

std::vector<std::string> ask_addr2line(const std::string& file, std::uint64_t address) {
  std::istringstream answer(output_of({"addr2line", "-Cfipae", file, fmt::format("{:#x}", address)}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(answer, line);) {
    if (line.starts_with(" (inlined by) ")) line.replace(0, 14, ": ");
    if (line.find(": ") != std::string::npos) lines.push_back(shortened(line));
  }
  return lines;
}

}  // namespace

std::vector<std::string> describe_frames(const Loader& loader, std::size_t slot, const std::vector<void*>& frames) {
  constexpr std::size_t shown_max = 16;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < frames.size() && lines.size() < shown_max; ++i) {
    const std::size_t before_return = i == 0 ? 0 : 1;
    const auto place = place_of(loader, slot, static_cast<const std::byte*>(frames[i]) - before_return);
    if (!place) continue;
    const std::string& file = loader.files().images[place->image].path();
    std::vector<std::string> described = ask_addr2line(file, place->address);
    if (described.empty())
      described.push_back(fmt::format("{}+{:#x}", std::filesystem::path(file).filename().string(), place->address));
    lines.insert(lines.end(), described.begin(), described.end());
  }
  return lines;
}

}  // namespace hindcast::programs
