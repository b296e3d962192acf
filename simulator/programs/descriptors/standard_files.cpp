#include "simulator/programs/descriptors/standard_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace hindcast::programs {

namespace {

bool is_same_file(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino && first.st_rdev == second.st_rdev;
}

bool is_owned(const StandardFiles::File& file) { return file.stream < 0 && file.descriptor >= 0; }

}  // namespace

StandardFiles::~StandardFiles() {
  for (const File& file : standard_)
    if (is_owned(file)) close(file.descriptor);
}

// A copy may have been closed past us, and its number be another file's by now.
StandardFiles::File StandardFiles::of(int descriptor) const {
  if (is_standard(descriptor)) return standard_[static_cast<std::size_t>(descriptor)];
  const auto copy = copies_.find(descriptor);
  const bool is_copy = copy != copies_.end() && is_same_file(copy->second, descriptor);
  return {is_copy ? copy->second : -1, descriptor};
}

void StandardFiles::redirect(int descriptor, File file) {
  File& standing = standard_[static_cast<std::size_t>(descriptor)];
  if (is_owned(standing)) close(standing.descriptor);
  standing = file.stream >= 0 ? File{file.stream, file.stream} : file;
  // As /dev/tty may be opened.
  if (is_owned(standing) && is_same_file(descriptor, standing.descriptor)) {
    close(standing.descriptor);
    standing = {descriptor, descriptor};
  }
}

int StandardFiles::first_closed(int least) const {
  for (int descriptor = std::max(least, 0); is_standard(descriptor); ++descriptor)
    if (of(descriptor).descriptor < 0) return descriptor;
  return -1;
}

void StandardFiles::add_copy(int descriptor, int stream) {
  if (stream >= 0)
    copies_[descriptor] = stream;
  else
    copies_.erase(descriptor);
}

}  // namespace hindcast::programs
