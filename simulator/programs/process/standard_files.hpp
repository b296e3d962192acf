// What a rank's descriptors 0, 1 and 2 stand for: the launcher's, until the program puts other files in their place.
#pragma once

#include <unistd.h>

#include <array>
#include <optional>

namespace hindcast::programs {

class StandardFiles {
 public:
  StandardFiles() = default;
  ~StandardFiles();
  StandardFiles(const StandardFiles&) = delete;
  StandardFiles& operator=(const StandardFiles&) = delete;

  // Takes over the file; -1 for none. The launcher's own, put back in its place, is no redirection any more.
  void redirect(int descriptor, int file);
  // -1: closed; nothing: still the launcher's.
  std::optional<int> replacement(int descriptor) const { return replaced_[static_cast<std::size_t>(descriptor)]; }

 private:
  std::array<std::optional<int>, 3> replaced_;
};

}  // namespace hindcast::programs
