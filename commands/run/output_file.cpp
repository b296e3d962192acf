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

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (aside_ != path_) std::remove(aside_.c_str());
}

void OutputFile::remember_failure() {
  if (failure_ == 0) failure_ = errno;
}

void OutputFile::open() {
  aside_ = is_written_in_place(path_) ? path_ : fmt::format("{}.{}", path_, getpid());
  file_ = std::fopen(aside_.c_str(), "w");
  if (file_ == nullptr) remember_failure();
}

void OutputFile::add(std::string_view text) {
  if (file_ == nullptr && failure_ == 0) open();
  if (failure_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) remember_failure();
}

int OutputFile::finish(int status) {
  if (file_ != nullptr && std::fclose(file_) != 0) remember_failure();
  if (failure_ == 0 && aside_ != path_ && std::rename(aside_.c_str(), path_.c_str()) != 0) remember_failure();
  if (failure_ != 0 && file_ != nullptr && aside_ != path_) std::remove(aside_.c_str());
  file_ = nullptr;
  if (failure_ == 0) return status;
  fmt::print(stderr, "hindcast: {} {}: cannot be written: {}\n", option_, path_, std::strerror(failure_));
  return status != 0 ? status : 1;
}

int OutputFile::write(std::string_view text, int status) {
  add(text);
  return finish(status);
}

}  // namespace hindcast
