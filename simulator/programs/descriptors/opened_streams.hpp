// Streams that a program opens with fdopen on descriptors that are not simply files of this computer: a copy of its
// standard output, or a pipe or socket, where libc's own would write past the rank's output, or wait in the system.
#pragma once

#include <cstdio>
#include <list>

namespace hindcast::programs {

class RunningProgram;

class OpenedStreams {
 public:
  explicit OpenedStreams(RunningProgram& program) : program_(program) {}
  // When the rank has gone.
  ~OpenedStreams();
  OpenedStreams(const OpenedStreams&) = delete;
  OpenedStreams& operator=(const OpenedStreams&) = delete;

  FILE* open(int descriptor, const char* mode);
  // -1: it is none of them.
  int descriptor_of(const FILE* stream) const;
  // It has become one of libc's own.
  void forget(const FILE* stream);
  void flush() const;

 private:
  struct Stream {
    OpenedStreams* all;
    int descriptor;
    FILE* file;
  };
  static ssize_t write(void* stream, const char* data, std::size_t bytes);
  static ssize_t read(void* stream, char* data, std::size_t bytes);
  static int seek(void* stream, off64_t* position, int whence);
  static int close(void* stream);

  RunningProgram& program_;
  std::list<Stream> streams_;
};

}  // namespace hindcast::programs
