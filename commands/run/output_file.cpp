#include "commands/run/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace hindcast {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& option, const std::string& path, const std::string& why) {
  throw std::runtime_error(fmt::format("{} {}: cannot be written: {}", option, path, why));
}

// Devices and pipes are written to; a file takes the place of the one before it when it is whole.
bool is_written_in_place(const std::string& path) { return fs::exists(path) && !fs::is_regular_file(path); }

void write_whole(const std::string& option, const std::string& path, const std::string& text) {
  const std::string aside = is_written_in_place(path) ? path : fmt::format("{}.{}", path, getpid());
  std::FILE* file = std::fopen(aside.c_str(), "w");
  if (file == nullptr) fail(option, path, std::strerror(errno));
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((std::fclose(file) == 0 && is_written) && (aside == path || std::rename(aside.c_str(), path.c_str()) == 0))
    return;
  const std::string why = std::strerror(errno);
  if (aside != path) std::remove(aside.c_str());
  fail(option, path, why);
}

}  // namespace

bool is_same_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty() || is_written_in_place(one)) return false;
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(one), error) == fs::weakly_canonical(fs::absolute(other), error);
}

OutputFile::OutputFile(std::string option, std::string path) : option_(std::move(option)), path_(std::move(path)) {
  // Ranks may change the working directory.
  path_ = fs::absolute(path_).string();
  const std::string place = is_written_in_place(path_) ? path_ : fs::path(path_).parent_path().string();
  if (fs::is_directory(path_)) fail(option_, path_, "it is a directory");
  if (access(place.c_str(), W_OK) != 0) fail(option_, path_, std::strerror(errno));
}

int OutputFile::write(const std::string& text, int status) const {
  try {
    write_whole(option_, path_, text);
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hindcast: {}\n", error.what());
    return status != 0 ? status : 1;
  }
}

}  // namespace hindcast
