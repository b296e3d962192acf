// Where patched copies of a program and of shared libraries lie while the system's loader loads them.
#pragma once

#include <string>

namespace hindcast::programs {

// A folder that lives as long as files are loaded from it. It is the working directory meanwhile, because a library's
// new name, of the same length as its old one, is a path relative to it.
class LoadingFolder {
 public:
  // Throws ProgramError where no folder takes files that can be executed.
  LoadingFolder();
  ~LoadingFolder();
  LoadingFolder(const LoadingFolder&) = delete;
  LoadingFolder& operator=(const LoadingFolder&) = delete;

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const;

 private:
  bool make_in(const std::string& parent);

  std::string path_;
  int before_ = -1;
};

// A name that no image of this process has had, as long as the old one: its first characters make a folder's name.
// Throws ProgramError if the old one is too short for that.
std::string fresh_name(const std::string& name);

}  // namespace hindcast::programs
