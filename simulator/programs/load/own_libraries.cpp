#include "simulator/programs/load/own_libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/subprocess.hpp"

namespace hindcast::programs {

namespace {

constexpr std::array system_directories = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu"};

bool is_in_system_directory(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return std::any_of(system_directories.begin(), system_directories.end(),
                     [&](const std::string& system) { return folder == system || folder.starts_with(system + "/"); });
}

// FFTW keeps its planner and what that has learnt in variables, and libfftw3_mpi has the ranks talk in the midst of
// planning: with one planner for all, a rank would find there what another has just measured, and not take part in
// measuring it.
bool is_fftw(std::string_view name) { return name.starts_with("libfftw") || name.starts_with("librfftw"); }

// C++'s shared library, which a program's own libraries need where the usual compiler has linked them: it has std::cout
// with its format, locales, and the exceptions being handled.
bool is_cxx_library(std::string_view name) { return name.starts_with("libstdc++.so"); }

// ns-3 keeps the simulation that it runs in variables. By the names of its libraries empty ones are loaded besides,
// with which SimGrid's is content (simulator/simgrid/ns3_stand_ins).
bool is_ns3(std::string_view name) { return name.starts_with("libns3-"); }

// Whether a library of the system's keeps in its variables what has to be each rank's own.
bool keeps_state_of_a_rank(std::string_view name) {
  return is_fortran_library(name) || is_fftw(name) || is_cxx_library(name) || is_ns3(name);
}

bool is_own(std::string_view name, const std::string& path) {
  return !is_in_system_directory(path) || keeps_state_of_a_rank(name);
}

void append_folders(std::vector<std::string>& folders, const std::string& path_list, const std::string& origin) {
  std::istringstream stream(path_list);
  for (std::string folder; std::getline(stream, folder, ':');) {
    for (const std::string_view variable : {"$ORIGIN", "${ORIGIN}"})
      if (const std::size_t at = folder.find(variable); at != std::string::npos)
        folder.replace(at, variable.size(), origin);
    folders.push_back(folder);
  }
}

// Where the system's loader looks before it looks in the system's directories.
std::vector<std::string> folders_looked_in_first(const ElfImage& program) {
  std::vector<std::string> folders;
  const std::string origin = std::filesystem::absolute(program.path()).parent_path();
  for (const std::string& list : program.run_paths()) append_folders(folders, list, origin);
  if (const char* list = std::getenv("LD_LIBRARY_PATH"); list != nullptr) append_folders(folders, list, origin);
  return folders;
}

// Where the first folder that has it has it; empty if none does.
template <class Folders>
std::string path_in(const Folders& folders, const std::string& name) {
  for (const auto& folder : folders)
    if (std::string path = fmt::format("{}/{}", folder, name); std::filesystem::exists(path)) return path;
  return {};
}

bool needs_only_the_system(const ElfImage& program) {
  const std::vector<std::string> first = folders_looked_in_first(program);
  return std::all_of(program.needed().begin(), program.needed().end(), [&](const std::string& name) {
    if (keeps_state_of_a_rank(name)) return false;
    return name == library_name || (path_in(first, name).empty() && !path_in(system_directories, name).empty());
  });
}

// What the system's own loader finds, asked of itself: "\tlibx.so => /path/libx.so (0x...)".
std::map<std::string, std::string> ask_loader(const ElfImage& program) {
  const std::string path = std::filesystem::absolute(program.path());
  std::istringstream listing(output_of({"/lib64/ld-linux-x86-64.so.2", "--list", path}));
  std::map<std::string, std::string> found;
  for (std::string line; std::getline(listing, line);) {
    std::istringstream words(line);
    std::string name, arrow, where;
    if (!(words >> name >> arrow >> where) || arrow != "=>") continue;
    found[name] = where;
  }
  return found;
}

class Sorter {
 public:
  explicit Sorter(const std::map<std::string, std::string>& found) : found_(found) {}

  void visit(const ElfImage& image) {
    for (const std::string& name : image.needed()) {
      const auto found = found_.find(name);
      if (found == found_.end() || name == library_name) continue;
      if (!is_own(name, found->second)) continue;
      if (!visited_.insert(name).second) continue;
      visit(ElfImage(found->second));
      sorted_.push_back({name, found->second});
    }
  }
  std::vector<OwnLibrary> result() { return std::move(sorted_); }

 private:
  const std::map<std::string, std::string>& found_;
  std::set<std::string> visited_;
  std::vector<OwnLibrary> sorted_;
};

}  // namespace

std::vector<OwnLibrary> own_libraries(const ElfImage& program) {
  if (needs_only_the_system(program)) return {};
  const std::map<std::string, std::string> found = ask_loader(program);
  Sorter sorter(found);
  sorter.visit(program);
  return sorter.result();
}

bool is_each_ranks_own(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return name != library_name && is_own(name, path);
}

std::string find_own_library(const std::string& name, const ElfImage& opener) {
  if (name == library_name) return {};
  if (std::string path = path_in(folders_looked_in_first(opener), name); !path.empty()) return path;
  return keeps_state_of_a_rank(name) ? path_in(system_directories, name) : std::string();
}

// The system's own loader says it: "undefined symbol: name\t(library)".
std::vector<std::string> undefined_symbols(const ElfImage& program) {
  const std::string path = std::filesystem::absolute(program.path());
  std::istringstream listing(output_of(
      {"/bin/sh", "-c",
       "LD_TRACE_LOADED_OBJECTS=1 LD_WARN=yes LD_BIND_NOW=yes exec /lib64/ld-linux-x86-64.so.2 \"$1\" 2>&1 >/dev/null",
       "sh", path}));
  constexpr std::string_view beginning = "undefined symbol: ";
  std::vector<std::string> undefined;
  for (std::string line; std::getline(listing, line);)
    if (line.starts_with(beginning))
      undefined.push_back(line.substr(beginning.size(), line.find('\t') - beginning.size()));
  return undefined;
}

}  // namespace hindcast::programs
