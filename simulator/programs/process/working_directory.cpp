#include "simulator/programs/process/working_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <utility>

namespace hindcast::programs {

namespace {

int launchers_directory = -1;   // opened when the first rank leaves it
const void* entered = nullptr;  // whose handle the real process is in; none: the launcher's

}  // namespace

WorkingDirectory::Handle::~Handle() { close(descriptor); }

// Ranks in the same directory share one open descriptor: there may be more ranks than descriptors.
WorkingDirectory WorkingDirectory::from_open(int descriptor) {
  static std::map<std::pair<dev_t, ino_t>, std::weak_ptr<const Handle>> known;
  WorkingDirectory directory;
  struct stat status {};
  directory.valid_ = descriptor >= 0 && fstat(descriptor, &status) == 0;
  if (!directory.valid_) return directory;
  std::weak_ptr<const Handle>& shared = known[{status.st_dev, status.st_ino}];
  directory.handle_ = shared.lock();
  if (directory.handle_) {
    close(descriptor);
  } else {
    directory.handle_ = std::make_shared<const Handle>(descriptor);
    shared = directory.handle_;
  }
  return directory;
}

WorkingDirectory WorkingDirectory::at(const std::string& path) {
  struct stat status {};
  // A file that is no program lacks the permission too, which would be the wrong thing to say.
  const bool is_other_file = stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
  if (is_other_file) errno = ENOTDIR;
  if (is_other_file || access(path.c_str(), X_OK) != 0) return from_open(-1);
  return from_open(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

WorkingDirectory WorkingDirectory::of_descriptor(int descriptor) {
  return from_open(openat(descriptor, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

void WorkingDirectory::enter() const {
  if (handle_.get() == entered) return;
  if (launchers_directory < 0) launchers_directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  [[maybe_unused]] const int result = fchdir(handle_ ? handle_->descriptor : launchers_directory);
  entered = handle_.get();
}

}  // namespace hindcast::programs
