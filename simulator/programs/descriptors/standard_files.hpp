// What a rank's descriptors stand for. 0, 1 and 2 are the launcher's streams until the program puts other files in
// their place; further ones are this process's own, and may be copies that the program has made of its 0, 1 and 2.
#pragma once

#include <array>
#include <map>

namespace hindcast::programs {

class StandardFiles {
 public:
  struct File {
    int stream;      // of the launcher's, by its descriptor; -1: it is none of them
    int descriptor;  // of this process; -1: closed
  };

  StandardFiles() = default;
  ~StandardFiles();
  StandardFiles(const StandardFiles&) = delete;
  StandardFiles& operator=(const StandardFiles&) = delete;

  static bool is_standard(int descriptor) { return descriptor >= 0 && descriptor <= 2; }
  File of(int descriptor) const;
  // Of 0, 1 and 2: from now on it stands for this, which it takes over if it is none of the launcher's streams.
  void redirect(int descriptor, File file);
  // The first of 0, 1 and 2 that the program has closed, from `least` on; -1: none.
  int first_closed(int least) const;
  // Of a descriptor of this process: a copy of something that stands for a stream of the launcher's, or for none.
  void add_copy(int descriptor, int stream);
  void forget_copy(int descriptor) { copies_.erase(descriptor); }

 private:
  std::array<File, 3> standard_ = {File{0, 0}, File{1, 1}, File{2, 2}};
  std::map<int, int> copies_;
};

}  // namespace hindcast::programs
