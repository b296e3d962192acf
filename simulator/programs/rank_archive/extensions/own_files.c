/* Calls about a descriptor that ask the system: of 0, 1 and 2 they tell of the file that the rank has put there. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

/* A closed one is -1, which the system knows as well. */
static long file_of(int descriptor) {
  return descriptor < 0 || descriptor > STDERR_FILENO ? descriptor : hindcast_rank_descriptor(descriptor);
}

/* With as many arguments as the call has: the others are not looked at. */
static long call(long number, int descriptor, long second, long third, long fourth) {
  return syscall(number, file_of(descriptor), second, third, fourth, 0L, 0L);
}

OWN_COPY int fstat(int descriptor, struct stat* status) { return (int)call(SYS_fstat, descriptor, (long)status, 0, 0); }
OWN_COPY int fstat64(int descriptor, struct stat64* status) {
  return (int)call(SYS_fstat, descriptor, (long)status, 0, 0);
}
OWN_COPY off_t lseek(int descriptor, off_t offset, int whence) {
  return call(SYS_lseek, descriptor, offset, whence, 0);
}
OWN_COPY off64_t lseek64(int descriptor, off64_t offset, int whence) {
  return call(SYS_lseek, descriptor, offset, whence, 0);
}
OWN_COPY ssize_t pread(int descriptor, void* data, size_t bytes, off_t offset) {
  return call(SYS_pread64, descriptor, (long)data, (long)bytes, offset);
}
OWN_COPY ssize_t pread64(int descriptor, void* data, size_t bytes, off64_t offset) {
  return call(SYS_pread64, descriptor, (long)data, (long)bytes, offset);
}
OWN_COPY ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return call(SYS_pwrite64, descriptor, (long)data, (long)bytes, offset);
}
OWN_COPY ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  return call(SYS_pwrite64, descriptor, (long)data, (long)bytes, offset);
}
OWN_COPY int ftruncate(int descriptor, off_t length) { return (int)call(SYS_ftruncate, descriptor, length, 0, 0); }
OWN_COPY int ftruncate64(int descriptor, off64_t length) { return (int)call(SYS_ftruncate, descriptor, length, 0, 0); }
OWN_COPY int fsync(int descriptor) { return (int)call(SYS_fsync, descriptor, 0, 0, 0); }
OWN_COPY int fdatasync(int descriptor) { return (int)call(SYS_fdatasync, descriptor, 0, 0, 0); }
OWN_COPY int fchmod(int descriptor, mode_t mode) { return (int)call(SYS_fchmod, descriptor, mode, 0, 0); }
OWN_COPY int flock(int descriptor, int operation) { return (int)call(SYS_flock, descriptor, operation, 0, 0); }
OWN_COPY int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return (int)call(SYS_ioctl, descriptor, (long)request, argument, 0);
}
OWN_COPY int isatty(int descriptor) {
  char settings[256]; /* as the kernel has them, whose type is not libc's */
  return call(SYS_ioctl, descriptor, TCGETS, (long)settings, 0) == 0;
}

OWN_COPY int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  if (command == F_DUPFD) return hindcast_rank_copy(descriptor, (int)argument, 0);
  if (command == F_DUPFD_CLOEXEC) return hindcast_rank_copy(descriptor, (int)argument, O_CLOEXEC);
  return (int)call(SYS_fcntl, descriptor, command, argument, 0);
}
OWN_COPY int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return fcntl(descriptor, command, argument);
}

/* A file that is opened gets the lowest number, of those that the program has closed. */
static int open_at(int folder, const char* path, int flags, mode_t mode) {
  return hindcast_rank_opened((int)syscall(SYS_openat, folder, path, flags, mode));
}
#define MODE_AFTER(last)                                          \
  mode_t mode = 0;                                                \
  va_list arguments;                                              \
  va_start(arguments, last);                                      \
  if (__OPEN_NEEDS_MODE(flags)) mode = va_arg(arguments, mode_t); \
  va_end(arguments)

OWN_COPY int open(const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_at(AT_FDCWD, path, flags, mode);
}
OWN_COPY int open64(const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_at(AT_FDCWD, path, flags, mode);
}
OWN_COPY int openat(int folder, const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_at(folder, path, flags, mode);
}
OWN_COPY int openat64(int folder, const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_at(folder, path, flags, mode);
}
OWN_COPY int creat(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
OWN_COPY int creat64(const char* path, mode_t mode) { return creat(path, mode); }

OFFER(fstat);
OFFER(fstat64);
OFFER(lseek);
OFFER(lseek64);
OFFER(pread);
OFFER(pread64);
OFFER(pwrite);
OFFER(pwrite64);
OFFER(ftruncate);
OFFER(ftruncate64);
OFFER(fsync);
OFFER(fdatasync);
OFFER(fchmod);
OFFER(flock);
OFFER(ioctl);
OFFER(isatty);
OFFER(fcntl);
OFFER(fcntl64);
OFFER(open);
OFFER(open64);
OFFER(openat);
OFFER(openat64);
OFFER(creat);
OFFER(creat64);
