#include "simulator/programs/descriptors/opening.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "simulator/programs/descriptors/own_descriptors.hpp"
#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

// -1: the path means none.
int descriptor_meant(std::string_view given) {
  const std::string here = path_here(given);
  const std::string_view path = here;
  constexpr std::array<std::string_view, 3> streams = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (std::size_t descriptor = 0; descriptor < streams.size(); ++descriptor)
    if (path == streams[descriptor]) return static_cast<int>(descriptor);
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view number = path.substr(folder.size());
    int descriptor = -1;
    const auto read = std::from_chars(number.begin(), number.end(), descriptor);
    if (read.ec == std::errc() && read.ptr == number.end()) return descriptor;
  }
  return -1;
}

// A file that is opened gets the lowest number, of those that the program has closed. Where the call needs no mode the
// program gives none.
int open_for_program(int folder, const char* path, int flags, mode_t mode) {
  const mode_t given = __OPEN_NEEDS_MODE(flags) ? mode : 0;
  const RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return openat(folder, path, flags, given);
  const StandardFiles::File file = open_file(program->files(), folder, path, flags, given);
  if (file.stream >= 0) return hindcast_rank_copy(descriptor_meant(path), 0, flags & O_CLOEXEC);
  return hindcast_rank_opened(file.descriptor);
}

}  // namespace

std::string path_here(std::string_view path) {
  if (!path.starts_with("/proc/") || RunningProgram::current() == nullptr) return std::string(path);
  const std::string own = fmt::format("/proc/{}/", hindcast_rank_process());
  if (path.starts_with(own)) return fmt::format("/proc/self/{}", path.substr(own.size()));
  return std::string(path);
}

int open_flags(const char* mode) {
  const int access = std::strchr(mode, '+') != nullptr ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  return access | (mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0);
}

StandardFiles::File open_file(const StandardFiles& files, int folder, const char* path, int flags, mode_t mode) {
  const int meant = descriptor_meant(path);
  if (meant < 0) return {-1, openat(folder, path_here(path).c_str(), flags, mode)};
  const StandardFiles::File file = files.of(meant);
  if (file.stream >= 0) return file;
  return {-1, open(fmt::format("/proc/self/fd/{}", file.descriptor).c_str(), flags, mode)};
}

}  // namespace hindcast::programs

extern "C" {

int hindcast_open(const char* path, int flags, mode_t mode) {
  return hindcast::programs::open_for_program(AT_FDCWD, path, flags, mode);
}
int hindcast_openat(int folder, const char* path, int flags, mode_t mode) {
  return hindcast::programs::open_for_program(folder, path, flags, mode);
}
int hindcast_creat(const char* path, mode_t mode) {
  return hindcast::programs::open_for_program(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

FILE* hindcast_fopen(const char* path, const char* mode) {
  if (hindcast::programs::descriptor_meant(path) < 0)
    return std::fopen(hindcast::programs::path_here(path).c_str(), mode);
  const int descriptor = hindcast_open(path, hindcast::programs::open_flags(mode), 0666);
  if (descriptor < 0) return nullptr;
  FILE* const stream = hindcast_rank_open_stream(descriptor, mode);
  if (stream == nullptr) hindcast_rank_close(descriptor);
  return stream;
}

}  // extern "C"
