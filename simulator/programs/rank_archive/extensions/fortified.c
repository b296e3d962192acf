/* What gcc calls with -D_FORTIFY_SOURCE in the place of calls that are the rank's, where it knows the buffer's size. */
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "own_copy.h"

/* libc's: says that a buffer has overflowed, and aborts. */
extern void __chk_fail(void) __attribute__((noreturn));

static void check(size_t bytes, size_t room) {
  if (bytes > room) __chk_fail();
}

OWN_COPY ssize_t __read_chk(int descriptor, void* data, size_t bytes, size_t room) {
  check(bytes, room);
  return read(descriptor, data, bytes);
}
OWN_COPY int __gethostname_chk(char* name, size_t bytes, size_t room) {
  check(bytes, room);
  return gethostname(name, bytes);
}
OWN_COPY ssize_t __recv_chk(int socket, void* data, size_t bytes, size_t room, int flags) {
  check(bytes, room);
  return recv(socket, data, bytes, flags);
}
OWN_COPY ssize_t __recvfrom_chk(int socket, void* restrict data, size_t bytes, size_t room, int flags,
                                struct sockaddr* restrict address, socklen_t* restrict length) {
  check(bytes, room);
  return recvfrom(socket, data, bytes, flags, address, length);
}
OWN_COPY int __poll_chk(struct pollfd* files, nfds_t count, int timeout, size_t room) {
  check(count, room / sizeof *files);
  return poll(files, count, timeout);
}
OWN_COPY int __ppoll_chk(struct pollfd* files, nfds_t count, const struct timespec* timeout, const sigset_t* mask,
                         size_t room) {
  check(count, room / sizeof *files);
  return ppoll(files, count, timeout, mask);
}

OWN_COPY int __vdprintf_chk(int descriptor, int flag, const char* restrict format, va_list arguments) {
  (void)flag;
  return vdprintf(descriptor, format, arguments);
}
OWN_COPY int __dprintf_chk(int descriptor, int flag, const char* restrict format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  const int length = vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

OFFER(__read_chk);
OFFER(__gethostname_chk);
OFFER(__recv_chk);
OFFER(__recvfrom_chk);
OFFER(__poll_chk);
OFFER(__ppoll_chk);
OFFER(__vdprintf_chk);
OFFER(__dprintf_chk);
