// Files of shared libraries that ranks open. One that several ranks have open is read once.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

class FileImages {
 public:
  // Reads the file again if a program has written it anew since another rank has opened it. Throws ProgramError.
  std::shared_ptr<const ElfImage> of(const std::string& path);

 private:
  struct Read {
    struct stat status;
    std::weak_ptr<const ElfImage> image;
  };
  std::vector<Read> read_;
};

}  // namespace hindcast::programs
