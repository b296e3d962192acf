// A file that a run writes when it ends: whole, or not at all.
#pragma once

#include <string>

namespace hindcast {

// Whether both paths lead to one file, which may not be there yet. Devices and pipes may be written to by several.
bool is_same_file(const std::string& one, const std::string& other);

class OutputFile {
 public:
  // `option` is what asked for it, for people. Throws if there can be no such file.
  OutputFile(std::string option, std::string path);

  // Gives the status that the run ends with: that, or 1 if the file could not be written, which is said.
  int write(const std::string& text, int status) const;

 private:
  std::string option_;
  std::string path_;
};

}  // namespace hindcast
