/* Standard input, output and error by their descriptors. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "descriptors.h"
#include "own_copy.h"
#include "rank_interface.h"

static int is_output(int descriptor) { return descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO; }

OWN_COPY ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (is_output(descriptor)) return hindcast_rank_write(descriptor, data, bytes);
  return joins_ranks(descriptor) ? write_where_there_is_room(descriptor, data, bytes)
                                 : syscall(SYS_write, descriptor, data, bytes);
}

OWN_COPY ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  if (!is_output(descriptor)) return syscall(SYS_writev, descriptor, parts, count);
  ssize_t written = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t part = hindcast_rank_write(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (part < 0) return written > 0 ? written : -1;
    written += part;
  }
  return written;
}

OWN_COPY ssize_t read(int descriptor, void* data, size_t bytes) {
  if (descriptor == STDIN_FILENO) return hindcast_rank_read(data, bytes);
  if (joins_ranks(descriptor)) await_readable(descriptor);
  return syscall(SYS_read, descriptor, data, bytes);
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

/* The launcher's own descriptors stay as they are. */
OWN_COPY int dup3(int descriptor, int copy, int flags) {
  if (copy < 0 || copy > STDERR_FILENO || copy == descriptor) return (int)syscall(SYS_dup3, descriptor, copy, flags);
  const int file = (int)syscall(SYS_dup, descriptor);
  return file < 0 ? -1 : hindcast_rank_redirect(copy, file) == 0 ? copy : -1;
}
OWN_COPY int dup2(int descriptor, int copy) {
  if (descriptor != copy) return dup3(descriptor, copy, 0);
  return fcntl(descriptor, F_GETFD) < 0 ? -1 : copy;
}
OWN_COPY int close(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return (int)syscall(SYS_close, descriptor);
  return hindcast_rank_redirect(descriptor, -1);
}

/* A rank's streams are not files: they are known by what they stand for. */
OWN_COPY int fileno(FILE* stream) {
  const int descriptor = fileno_unlocked(stream);
  if (descriptor >= 0) return descriptor;
  if (stream == stdin) return STDIN_FILENO;
  if (stream == stdout) return STDOUT_FILENO;
  return stream == stderr ? STDERR_FILENO : descriptor;
}

OFFER(write);
OFFER(writev);
OFFER(read);
OFFER(vdprintf);
OFFER(dprintf);
OFFER(freopen);
OFFER(freopen64);
OFFER(dup3);
OFFER(dup2);
OFFER(close);
OFFER(fileno);
