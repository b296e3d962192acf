// Other ways than read and write by which a program reads and writes descriptors; libc's would wait in the system, or
// write past what 0, 1 and 2 stand for.
#include <sys/eventfd.h>
#include <sys/uio.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "simulator/programs/rank_archive/rank_interface.h"

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Whole = std::unique_ptr<char, Free>;

std::size_t bytes_of(std::span<const iovec> parts) {
  std::size_t bytes = 0;
  for (const iovec& part : parts) bytes += part.iov_len;
  return bytes;
}

// Null, with errno, if there is no memory.
Whole memory_for(std::size_t bytes) { return Whole(static_cast<char*>(std::malloc(bytes > 0 ? bytes : 1))); }

}  // namespace

extern "C" {

// As one piece, which may be a datagram.
ssize_t hindcast_writev(int descriptor, const iovec* first, int count) {
  const std::span parts(first, static_cast<std::size_t>(count));
  const std::size_t bytes = bytes_of(parts);
  const Whole whole = memory_for(bytes);
  if (whole == nullptr) return -1;
  char* next = whole.get();
  for (const iovec& part : parts) next = static_cast<char*>(mempcpy(next, part.iov_base, part.iov_len));
  return hindcast_rank_write(descriptor, whole.get(), bytes);
}
ssize_t hindcast_readv(int descriptor, const iovec* first, int count) {
  const std::span parts(first, static_cast<std::size_t>(count));
  const std::size_t bytes = bytes_of(parts);
  const Whole whole = memory_for(bytes);
  if (whole == nullptr) return -1;
  const ssize_t got = hindcast_rank_read(descriptor, whole.get(), bytes);
  std::size_t left = got > 0 ? static_cast<std::size_t>(got) : 0;
  const char* next = whole.get();
  for (const iovec& part : parts) {
    const std::size_t taken = left < part.iov_len ? left : part.iov_len;
    if (taken > 0) std::memcpy(part.iov_base, next, taken);
    next += taken;
    left -= taken;
  }
  return got;
}

int hindcast_eventfd_read(int counter, eventfd_t* value) {
  return hindcast_rank_read(counter, value, sizeof *value) == sizeof *value ? 0 : -1;
}
int hindcast_eventfd_write(int counter, eventfd_t value) {
  return hindcast_rank_write(counter, &value, sizeof value) == sizeof value ? 0 : -1;
}

int hindcast_vdprintf(int descriptor, const char* format, va_list arguments) {
  char* text = nullptr;
  const int length = vasprintf(&text, format, arguments);
  if (length < 0) return length;
  const Whole whole(text);
  return hindcast_rank_write(descriptor, text, static_cast<std::size_t>(length)) < 0 ? -1 : length;
}
int hindcast_dprintf(int descriptor, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = hindcast_vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

}  // extern "C"
