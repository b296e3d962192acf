#include "simulator/programs/load/program_check.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "simulator/programs/load/own_libraries.hpp"
#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

bool is_executable_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

void refuse_unless_executable(const std::string& name, const std::string& path) {
  if (std::filesystem::is_directory(path)) throw ProgramError(name + ": a directory, not a program");
  if (access(path.c_str(), X_OK) != 0) throw ProgramError(name + ": not executable (chmod +x makes it so)");
}

// Every MPI library that one may meet on a Linux machine.
bool is_of_another_mpi(const std::string& name) {
  constexpr std::array<std::string_view, 8> beginnings = {"libmpi.so",    "libmpi_", "libmpich",      "libmpifort.so",
                                                          "libmpicxx.so", "libsmpi", "libsimgrid.so", "libmpc_"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

bool needs_library(const ElfImage& program) {
  const auto& needed = program.needed();
  return std::find(needed.begin(), needed.end(), library_name) != needed.end();
}

}  // namespace

std::string find_program(const std::string& name, const std::string& working_directory) {
  const bool is_path = name.find('/') != std::string::npos;
  const std::string here = (working_directory.empty() ? "." : working_directory) + "/" + name;
  if (is_path) {
    struct stat status {};
    if (stat(name.c_str(), &status) != 0) {
      if (name.front() != '/' && is_executable_file(here)) return here;
      throw ProgramError(name + ": program not found");
    }
    refuse_unless_executable(name, name);
    return name;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_executable_file(folder + "/" + name)) return folder + "/" + name;
  struct stat status {};
  if (stat(here.c_str(), &status) == 0) {
    refuse_unless_executable(name, here);
    return here;
  }
  throw ProgramError(fmt::format("{}: program not found, neither in PATH nor here", name));
}

std::string bytes_of_program(const std::string& path) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (unknown) return {};
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

bool is_executable_linked_with_library() {
  try {
    return needs_library(ElfImage("/proc/self/exe"));
  } catch (const ProgramError&) {
    return false;
  }
}

void check_program(const ElfImage& program) {
  const auto& needed = program.needed();
  const auto other = std::find_if(needed.begin(), needed.end(), is_of_another_mpi);
  if (other != needed.end())
    throw ProgramError(
        fmt::format("{}: built by another MPI (it needs {}); build it with hindcast-mpicc", program.path(), *other));
  if (!needs_library(program))
    throw ProgramError(
        fmt::format("{}: not an MPI program (it does not need {}); build it with hindcast-mpicc. An interpreter that "
                    "opens MPI later cannot be a rank",
                    program.path(), library_name));
  if (program.is_pie())
    throw ProgramError(
        fmt::format("{}: linked as an ordinary executable, of which a process can hold only one; link it "
                    "with hindcast-mpicc, or by CMake's MPI::MPI_C",
                    program.path()));
}

}  // namespace hindcast::programs
