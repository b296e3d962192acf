// Calls about a descriptor that ask the system: of 0, 1 and 2 they tell of the file that the rank has put there.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulator/programs/descriptors/own_descriptors.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace {

// A closed one is -1, which the system knows as well.
int file_of(int descriptor) {
  return descriptor < 0 || descriptor > STDERR_FILENO ? descriptor : hindcast_rank_descriptor(descriptor);
}

}  // namespace

extern "C" {

int hindcast_fstat(int descriptor, struct stat* status) { return fstat(file_of(descriptor), status); }
off_t hindcast_lseek(int descriptor, off_t offset, int whence) { return lseek(file_of(descriptor), offset, whence); }
ssize_t hindcast_pread(int descriptor, void* data, size_t bytes, off_t offset) {
  return pread(file_of(descriptor), data, bytes, offset);
}
ssize_t hindcast_pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite(file_of(descriptor), data, bytes, offset);
}
int hindcast_ftruncate(int descriptor, off_t length) { return ftruncate(file_of(descriptor), length); }
int hindcast_fsync(int descriptor) { return fsync(file_of(descriptor)); }
int hindcast_fdatasync(int descriptor) { return fdatasync(file_of(descriptor)); }
int hindcast_fchmod(int descriptor, mode_t mode) { return fchmod(file_of(descriptor), mode); }
int hindcast_flock(int descriptor, int operation) { return flock(file_of(descriptor), operation); }
int hindcast_isatty(int descriptor) { return isatty(file_of(descriptor)); }

// With as many arguments as the program gives: the others are not looked at.
int hindcast_ioctl(int descriptor, unsigned long request, void* argument) {
  return ioctl(file_of(descriptor), request, argument);
}
int hindcast_fcntl(int descriptor, int command, long argument) {
  if (command == F_DUPFD) return hindcast_rank_copy(descriptor, static_cast<int>(argument), 0);
  if (command == F_DUPFD_CLOEXEC) return hindcast_rank_copy(descriptor, static_cast<int>(argument), O_CLOEXEC);
  return fcntl(file_of(descriptor), command, argument);
}

}  // extern "C"
