// What gcc calls with -D_FORTIFY_SOURCE in the place of calls that are the rank's, where it knows the buffer's size.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <ctime>

#include "simulator/programs/rank_archive/rank_interface.h"

extern "C" {

// libc's: says that a buffer has overflowed, and aborts.
[[noreturn]] void __chk_fail();

int hindcast_gethostname(char* name, size_t bytes);
ssize_t hindcast_recvfrom(int socket, void* data, size_t bytes, int flags, sockaddr* address, socklen_t* length);
int hindcast_poll(pollfd* files, nfds_t count, int timeout);
int hindcast_ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask);
int hindcast_vdprintf(int descriptor, const char* format, va_list arguments);
}

namespace {

void check_room(size_t bytes, size_t room) {
  if (bytes > room) __chk_fail();
}

}  // namespace

extern "C" {

ssize_t hindcast___read_chk(int descriptor, void* data, size_t bytes, size_t room) {
  check_room(bytes, room);
  return hindcast_rank_read(descriptor, data, bytes);
}
int hindcast___gethostname_chk(char* name, size_t bytes, size_t room) {
  check_room(bytes, room);
  return hindcast_gethostname(name, bytes);
}
ssize_t hindcast___recv_chk(int socket, void* data, size_t bytes, size_t room, int flags) {
  check_room(bytes, room);
  return hindcast_recvfrom(socket, data, bytes, flags, nullptr, nullptr);
}
ssize_t hindcast___recvfrom_chk(int socket, void* data, size_t bytes, size_t room, int flags, sockaddr* address,
                                socklen_t* length) {
  check_room(bytes, room);
  return hindcast_recvfrom(socket, data, bytes, flags, address, length);
}
int hindcast___poll_chk(pollfd* files, nfds_t count, int timeout, size_t room) {
  check_room(count, room / sizeof *files);
  return hindcast_poll(files, count, timeout);
}
int hindcast___ppoll_chk(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask, size_t room) {
  check_room(count, room / sizeof *files);
  return hindcast_ppoll(files, count, timeout, mask);
}

int hindcast___vdprintf_chk(int descriptor, int, const char* format, va_list arguments) {
  return hindcast_vdprintf(descriptor, format, arguments);
}
int hindcast___dprintf_chk(int descriptor, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = hindcast_vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

}  // extern "C"
