#include "simulator/machine/file/machine_search.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "simulator/machine/file/nearest_name.hpp"

namespace hindcast {

namespace {

namespace fs = std::filesystem;

// The file that this code was loaded from: the library or the program it is part of.
fs::path own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&load_machine), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error);
}

// An installation has <prefix>/lib and <prefix>/share/hindcast/platforms; a build tree lies below the source tree.
void add_own_directory(std::vector<std::string>& directories) {
  const fs::path own = own_file();
  for (fs::path above = own.parent_path(); above.has_relative_path(); above = above.parent_path())
    for (const fs::path& candidate : {above / "share" / "hindcast" / "platforms", above / "platforms"}) {
      std::error_code error;
      if (!fs::is_regular_file(candidate / "ideal.toml", error)) continue;
      directories.push_back(candidate.string());
      return;
    }
#ifdef HINDCAST_SOURCE_PLATFORMS
  directories.emplace_back(HINDCAST_SOURCE_PLATFORMS);  // a build tree outside the source tree
#endif
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
}

// A file that lies here, or a machine with a name much like it.
std::string what_may_be_meant(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name + ".toml", error)) return name + ".toml";
  std::vector<std::string> names;
  for (const std::string& path : machine_paths()) names.push_back(fs::path(path).stem().string());
  return nearest_name(name, names);
}

}  // namespace

std::vector<std::string> machine_directories() {
  std::vector<std::string> directories;
  if (const char* given = std::getenv("HINDCAST_PLATFORMS"); given != nullptr) {
    const std::string list = given;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) directories.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  add_own_directory(directories);
  return directories;
}

std::vector<std::string> machine_paths() {
  std::map<std::string, std::string> by_name;
  for (const std::string& directory : machine_directories()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error))
      if (entry.path().extension() == ".toml") by_name.emplace(entry.path().stem().string(), entry.path().string());
  }
  std::vector<std::string> paths;
  for (const auto& [name, path] : by_name) paths.push_back(path);
  return paths;
}

MachineFile load_machine(const std::string& name_or_path) {
  if (is_path(name_or_path)) return MachineFile::load(name_or_path);
  for (const std::string& directory : machine_directories()) {
    const fs::path path = fs::path(directory) / (name_or_path + ".toml");
    std::error_code error;
    if (fs::is_regular_file(path, error)) return MachineFile::load(path.string(), name_or_path);
  }
  const std::string meant = what_may_be_meant(name_or_path);
  throw MachineFileError(fmt::format("unknown machine '{}'{} ('hindcast machines' lists them)", name_or_path,
                                     meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant)));
}

}  // namespace hindcast
