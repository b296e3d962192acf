/* Descriptors by which a program reads and writes: 0, 1 and 2 and their copies are the rank's, and pipes and the like
 * are waited for in the simulator. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "extensions/waiting_timers.h"
#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY ssize_t write(int descriptor, const void* data, size_t bytes) {
  return hindcast_rank_write(descriptor, data, bytes);
}
OWN_COPY ssize_t read(int descriptor, void* data, size_t bytes) { return hindcast_rank_read(descriptor, data, bytes); }

static size_t bytes_of(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

/* As one piece, which may be a datagram. */
OWN_COPY ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  const size_t bytes = bytes_of(parts, count);
  char* const whole = malloc(bytes > 0 ? bytes : 1);
  size_t copied = 0;
  if (whole == NULL) return -1;
  for (int i = 0; i < count; ++i) {
    memcpy(whole + copied, parts[i].iov_base, parts[i].iov_len);
    copied += parts[i].iov_len;
  }
  const ssize_t written = write(descriptor, whole, bytes);
  free(whole);
  return written;
}
OWN_COPY ssize_t readv(int descriptor, const struct iovec* parts, int count) {
  const size_t bytes = bytes_of(parts, count);
  char* const whole = malloc(bytes > 0 ? bytes : 1);
  if (whole == NULL) return -1;
  const ssize_t got = read(descriptor, whole, bytes);
  size_t left = got > 0 ? (size_t)got : 0, copied = 0;
  for (int i = 0; i < count && left > 0; ++i) {
    const size_t part = left < parts[i].iov_len ? left : parts[i].iov_len;
    memcpy(parts[i].iov_base, whole + copied, part);
    copied += part;
    left -= part;
  }
  free(whole);
  return got;
}

/* libc's would wait in the system. */
OWN_COPY int eventfd_read(int counter, eventfd_t* value) {
  return read(counter, value, sizeof *value) == sizeof *value ? 0 : -1;
}
OWN_COPY int eventfd_write(int counter, eventfd_t value) {
  return write(counter, &value, sizeof value) == sizeof value ? 0 : -1;
}

OWN_COPY int vdprintf(int descriptor, const char* restrict format, va_list arguments) {
  char* text = NULL;
  const int length = vasprintf(&text, format, arguments);
  if (length < 0) return length;
  const ssize_t written = write(descriptor, text, (size_t)length);
  free(text);
  return written < 0 ? -1 : length;
}
OWN_COPY int dprintf(int descriptor, const char* restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

OWN_COPY FILE* freopen(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  return hindcast_rank_reopen(path, mode, stream);
}
OWN_COPY FILE* freopen64(const char* restrict path, const char* restrict mode, FILE* restrict stream) {
  return hindcast_rank_reopen(path, mode, stream);
}
OWN_COPY FILE* fdopen(int descriptor, const char* mode) { return hindcast_rank_open_stream(descriptor, mode); }

OWN_COPY int dup(int descriptor) { return hindcast_rank_copy(descriptor, 0, 0); }
OWN_COPY int dup3(int descriptor, int copy, int flags) { return hindcast_rank_copy_to(descriptor, copy, flags); }
OWN_COPY int dup2(int descriptor, int copy) {
  if (descriptor != copy) return dup3(descriptor, copy, 0);
  return fcntl(descriptor, F_GETFD) < 0 ? -1 : copy;
}
OWN_COPY int close(int descriptor) {
  forget_timer_of(descriptor);
  return hindcast_rank_close(descriptor);
}

/* A rank's streams are not files: they are known by what they stand for. */
OWN_COPY int fileno(FILE* stream) {
  const int error = errno;
  int descriptor = fileno_unlocked(stream);
  if (descriptor >= 0) return descriptor;
  if (stream == stdin) descriptor = STDIN_FILENO;
  if (stream == stdout) descriptor = STDOUT_FILENO;
  if (stream == stderr) descriptor = STDERR_FILENO;
  if (descriptor < 0) descriptor = hindcast_rank_descriptor_of(stream);
  if (descriptor >= 0) errno = error;
  return descriptor;
}

OFFER(write);
OFFER(read);
OFFER(writev);
OFFER(readv);
OFFER(eventfd_read);
OFFER(eventfd_write);
OFFER(vdprintf);
OFFER(dprintf);
OFFER(freopen);
OFFER(freopen64);
OFFER(fdopen);
OFFER(dup);
OFFER(dup3);
OFFER(dup2);
OFFER(close);
OFFER(fileno);
