#include "simulator/programs/descriptors/opened_streams.hpp"

#include <unistd.h>

#include <algorithm>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

OpenedStreams::~OpenedStreams() {
  while (!streams_.empty()) std::fclose(streams_.front().file);
}

FILE* OpenedStreams::open(int descriptor, const char* mode) {
  Stream& stream = streams_.emplace_back(Stream{this, descriptor, nullptr});
  stream.file = fopencookie(&stream, mode, {.read = read, .write = write, .seek = seek, .close = close});
  if (stream.file == nullptr) {
    streams_.pop_back();
    return nullptr;
  }
  if (isatty(program_.files().of(descriptor).descriptor) != 0) setvbuf(stream.file, nullptr, _IOLBF, BUFSIZ);
  return stream.file;
}

int OpenedStreams::descriptor_of(const FILE* stream) const {
  const auto found = std::ranges::find(streams_, stream, &Stream::file);
  return found != streams_.end() ? found->descriptor : -1;
}

void OpenedStreams::forget(const FILE* file) {
  std::erase_if(streams_, [&](const Stream& stream) { return stream.file == file; });
}

void OpenedStreams::flush() const {
  for (const Stream& stream : streams_) std::fflush(stream.file);
}

// Another rank may flush all streams: what it brings to light there is ours to write, without waiting.
ssize_t OpenedStreams::write(void* stream, const char* data, std::size_t bytes) {
  const auto& self = *static_cast<const Stream*>(stream);
  RunningProgram& program = self.all->program_;
  const ssize_t written = RunningProgram::current() == &program ? hindcast_rank_write(self.descriptor, data, bytes)
                                                                : program.write_at_once(self.descriptor, {data, bytes});
  return written < 0 ? 0 : written;
}

ssize_t OpenedStreams::read(void* stream, char* data, std::size_t bytes) {
  return hindcast_rank_read(static_cast<const Stream*>(stream)->descriptor, data, bytes);
}

int OpenedStreams::seek(void* stream, off64_t* position, int whence) {
  const auto& self = *static_cast<const Stream*>(stream);
  const off64_t reached = lseek64(self.all->program_.files().of(self.descriptor).descriptor, *position, whence);
  if (reached < 0) return -1;
  *position = reached;
  return 0;
}

int OpenedStreams::close(void* stream) {
  const Stream self = *static_cast<const Stream*>(stream);
  std::erase_if(self.all->streams_, [&](const Stream& one) { return one.file == self.file; });
  if (RunningProgram::current() == &self.all->program_) return hindcast_rank_close(self.descriptor);
  return StandardFiles::is_standard(self.descriptor) ? 0 : ::close(self.descriptor);
}

}  // namespace hindcast::programs
