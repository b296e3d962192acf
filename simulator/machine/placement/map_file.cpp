#include "simulator/machine/placement/map_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace hindcast {

namespace {

class MapReader {
 public:
  MapReader(const std::string& path, const Slots& slots) : path_(path), slots_(slots) {}

  void read(std::string line) {
    ++number_;
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return;
    column_ = begin + 1;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    if (line.starts_with("rank ")) return read_entry(line.substr(line.find_first_not_of(" \t", 5)));
    if (line.starts_with("machine ") || line.starts_with("link ")) return;
    nodes_.push_back(node_of(line));
  }
  const std::vector<int>& nodes() const { return nodes_; }

 private:
  // Of a resource database, which says more of a rank than its node.
  void read_entry(const std::string& entry) { nodes_.push_back(node_of(entry.substr(0, entry.find_first_of(" \t")))); }

  int node_of(const std::string& text) const {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return number_in(text, slots_.nodes(), "the machine");
    const std::string name = text.substr(0, colon);
    int first = 0, nodes = 0;
    for (const SlotsOfSite& some : slots_.sites()) {
      if (some.name == name)
        nodes += some.nodes;
      else if (nodes == 0)
        first += some.nodes;
    }
    if (nodes == 0) refuse(fmt::format("there is no site '{}'", name));
    return first + number_in(text.substr(colon + 1), nodes, fmt::format("site '{}'", name));
  }

  int number_in(const std::string& text, int nodes, const std::string& where) const {
    int node = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
    if (error != std::errc() || end != text.data() + text.size() || node < 0)
      refuse(fmt::format("'{}' is not a node; a line is the number of one, SITE:NUMBER, or 'rank SITE:NUMBER'", text));
    if (node >= nodes) refuse(fmt::format("node {}, but {} has {} nodes, counted from 0", node, where, nodes));
    return node;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument(fmt::format("{}:{}:{}: {}", path_, number_, column_, what));
  }

  const std::string& path_;
  const Slots& slots_;
  int number_ = 0;
  std::size_t column_ = 1;
  std::vector<int> nodes_;
};

}  // namespace

// A list may be longer than a file's name can be.
bool is_map_file(const std::string& map) {
  std::error_code error;
  return std::filesystem::is_regular_file(map, error);
}

std::vector<int> place_by_file(const std::string& path, int ranks, const Slots& slots) {
  std::ifstream stream(path);
  if (!stream) throw std::invalid_argument(fmt::format("{}: cannot be read", path));
  MapReader reader(path, slots);
  for (std::string line; std::getline(stream, line);) reader.read(line);
  if (reader.nodes().size() != static_cast<std::size_t>(ranks))
    throw std::invalid_argument(
        fmt::format("--map {}: {} nodes for {} ranks; give one for each", path, reader.nodes().size(), ranks));
  return reader.nodes();
}

}  // namespace hindcast
