// A file that a run writes: whole, when the run ends, or not at all.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace hindcast {

// Whether both paths lead to one file, which may not be there yet. Devices and pipes may be written to by several.
bool is_same_file(const std::string& one, const std::string& other);

class OutputFile {
 public:
  // `option` is what asked for it, for people. Throws if there can be no such file.
  OutputFile(std::string option, std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // A failure is told when the file is finished.
  void add(std::string_view text);
  // Gives the status that the run ends with: that, or 1 if the file could not be written, which is said.
  int finish(int status);
  int write(std::string_view text, int status);

 private:
  void open();
  void remember_failure();

  std::string option_;
  std::string path_;
  std::string aside_;  // where it is written until it is whole; the path itself for devices and pipes
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // the first, as errno has it
};

}  // namespace hindcast
