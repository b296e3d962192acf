#include "simulator/programs/process/standard_files.hpp"

#include <sys/stat.h>

namespace hindcast::programs {

namespace {

bool is_same_file(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino && first.st_rdev == second.st_rdev;
}

}  // namespace

StandardFiles::~StandardFiles() {
  for (const std::optional<int>& file : replaced_)
    if (file.value_or(-1) >= 0) close(*file);
}

void StandardFiles::redirect(int descriptor, int file) {
  std::optional<int>& replaced = replaced_[static_cast<std::size_t>(descriptor)];
  if (replaced.value_or(-1) >= 0) close(*replaced);
  replaced = file;
  if (file >= 0 && is_same_file(descriptor, file)) {
    close(file);
    replaced.reset();
  }
}

}  // namespace hindcast::programs
