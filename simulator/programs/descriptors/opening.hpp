// Opening files by their names, some of which mean a descriptor of the program's.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "simulator/programs/descriptors/standard_files.hpp"

namespace hindcast::programs {

// /proc does not know a rank by the number that `getpid` gives it: what it would tell of the rank it tells of this
// process. Other paths stay as they are.
std::string path_here(std::string_view path);
// The flags of open that a mode of fopen means.
int open_flags(const char* mode);
// One of the launcher's streams if the path means a descriptor that stands for it, as /dev/stdout does until the
// program puts another file there; else a file of this process that is opened for it, with errno set if that fails.
StandardFiles::File open_file(const StandardFiles& files, int folder, const char* path, int flags, mode_t mode);

}  // namespace hindcast::programs
