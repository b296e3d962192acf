/* Descriptors by which a program reads and writes: 0, 1 and 2 and their copies are the rank's, and pipes and the like
 * are waited for in the simulator. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY ssize_t write(int descriptor, const void* data, size_t bytes) {
  return hindcast_rank_write(descriptor, data, bytes);
}
OWN_COPY ssize_t read(int descriptor, void* data, size_t bytes) { return hindcast_rank_read(descriptor, data, bytes); }

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
OWN_COPY int close(int descriptor) { return hindcast_rank_close(descriptor); }

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
OFFER(freopen);
OFFER(freopen64);
OFFER(fdopen);
OFFER(dup);
OFFER(dup3);
OFFER(dup2);
OFFER(close);
OFFER(fileno);
