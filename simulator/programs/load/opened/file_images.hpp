// Files of shared libraries as ranks open them: what is read of one is there for all ranks that have it open.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

class FileImages {
 public:
  // As the file is now: a program may have written it anew since another rank has opened it. Throws ProgramError.
  std::shared_ptr<const ElfImage> of(const std::string& path);

 private:
  struct Read {
    struct stat status;
    std::weak_ptr<const ElfImage> image;
  };
  std::vector<Read> read_;
};

}  // namespace hindcast::programs
