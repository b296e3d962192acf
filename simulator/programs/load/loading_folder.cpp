#include "simulator/programs/load/loading_folder.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {

namespace {

bool can_execute_from(const std::string& folder) {
  struct statvfs status {};
  return statvfs(folder.c_str(), &status) == 0 && (status.f_flag & ST_NOEXEC) == 0;
}

}  // namespace

LoadingFolder::LoadingFolder() {
  const char* temporary = std::getenv("TMPDIR");
  for (const std::string& parent : {std::string("/dev/shm"), std::string(temporary ? temporary : "/tmp")})
    if (can_execute_from(parent) && make_in(parent)) break;
  if (path_.empty()) throw ProgramError("neither /dev/shm nor TMPDIR takes files that can be executed");
  before_ = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  std::filesystem::current_path(path_);
}

LoadingFolder::~LoadingFolder() {
  if (before_ >= 0) {
    [[maybe_unused]] const int result = fchdir(before_);
    close(before_);
  }
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void LoadingFolder::write(const std::string& name, const std::string& bytes) const {
  const std::string path = path_of(name);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw ProgramError(path + ": cannot be written; is the file system full?");
}

bool LoadingFolder::make_in(const std::string& parent) {
  std::string pattern = parent + "/hindcast.XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) return false;
  path_ = pattern;
  return true;
}

std::string fresh_name(const std::string& name) {
  constexpr std::size_t digits = 4;
  constexpr std::string_view alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static std::uint64_t count = 0;
  if (name.size() < digits + 2) throw ProgramError(name + ": too short a name for a shared library of a program's own");
  std::string fresh = name;
  std::uint64_t rest = count++;
  for (std::size_t i = 0; i < digits; ++i, rest /= alphabet.size()) fresh[i] = alphabet[rest % alphabet.size()];
  fresh[digits] = '/';
  return fresh;
}

}  // namespace hindcast::programs
