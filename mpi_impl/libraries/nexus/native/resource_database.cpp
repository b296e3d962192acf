#include "mpi_impl/libraries/nexus/native/resource_database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "simulator/machine/file/fingerprint.hpp"

namespace hindcast::nexus {

namespace {

constexpr auto kinds_of_entries =
    "'machine NAME NUMBER', 'rank SITE:NODE METHOD...', 'link NAME up' or 'link NAME down'";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

// As people write it: its site, and its number there.
std::string written_place_of(const Machine& machine, int node) {
  if (machine.parameters().tables("site").empty()) return std::to_string(node);
  const Site& site = machine.site(machine.site_of(node));
  return fmt::format("{}:{}", site.name, node - site.first_node);
}

}  // namespace

ResourceDatabase::ResourceDatabase(std::string path, const Machine& machine, std::vector<int> nodes, int at_start)
    : path_(std::move(path)), nodes_(std::move(nodes)), at_start_(at_start) {
  std::ifstream stream(path_);
  if (!stream) throw MachineFileError(fmt::format("{}: this resource database cannot be read", path_));
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (!words.empty() && !words.front().starts_with('#')) read(words, number, machine);
  }
  if (!names_machine_) throw MachineFileError(fmt::format("{}: this resource database names no machine", path_));
  check_places(machine);
}

const ResourceDatabase::Entry& ResourceDatabase::of_context(int number, int node) const {
  const std::ptrdiff_t entry = starts(number) ? number : std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin();
  return entries_[static_cast<std::size_t>(entry)];
}

void ResourceDatabase::read(const std::vector<std::string>& words, int line, const Machine& machine) {
  const std::string& what = words.front();
  const MachineFile& file = machine.parameters();
  if (what == "machine" && words.size() == 3) {
    names_machine_ = true;
    // What has been set for this run is no change of the machine.
    if (words[2] != std::to_string(fingerprint_of(MachineFile::load(file.path()))))
      refuse(line, fmt::format("stale: the machine of {} is another one than when the scheduler wrote this; allocate "
                               "again",
                               file.path()));
  } else if (what == "rank" && words.size() >= 2) {
    entries_.push_back({line, words[1], {words.begin() + 2, words.end()}});
  } else if (what == "link" && words.size() == 3 && (words[2] == "up" || words[2] == "down")) {
    check_link(words, line, file);
  } else {
    refuse(line, fmt::format("'{}' is no entry; one is {}", fmt::join(words, " "), kinds_of_entries));
  }
}

// A run finds its ways before Nexus starts, by what whoever starts it has read here.
void ResourceDatabase::check_link(const std::vector<std::string>& words, int line, const MachineFile& file) const {
  const std::string key = fmt::format("link.{}.status", words[1]);
  if (!file.has(key)) refuse(line, fmt::format("the machine has no link '{}' whose status can be entered", words[1]));
  if (const std::string in_run = file.choice(key, {"up", "down"}); in_run != words[2])
    refuse(line, fmt::format("the link {} is {} by this database, and the run has begun with it {}", words[1], words[2],
                             in_run));
}

void ResourceDatabase::check_places(const Machine& machine) const {
  if (entries_.size() != nodes_.size())
    throw MachineFileError(fmt::format("{}: {} ranks have been allocated, and {} are to be started", path_,
                                       entries_.size(), nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (const std::string place = written_place_of(machine, nodes_[i]); place != entries_[i].place)
      refuse(entries_[i].line,
             fmt::format("rank {} has been allocated {}, and is to be started on {}", i, entries_[i].place, place));
}

void ResourceDatabase::refuse(int line, const std::string& what) const {
  throw MachineFileError(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace hindcast::nexus
