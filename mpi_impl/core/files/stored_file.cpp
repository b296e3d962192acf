#include "mpi_impl/core/files/stored_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

namespace {

int class_of_failure(int number) {
  switch (number) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return MPI_ERR_BAD_FILE;
    case ENOSPC:
    case EFBIG:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case EBUSY:
    case ETXTBSY:
      return MPI_ERR_FILE_IN_USE;
    default:
      return MPI_ERR_IO;
  }
}

[[noreturn]] void throw_failure(const std::string& name, const char* what, int number = errno) {
  throw Error{class_of_failure(number), fmt::format("the file {} cannot be {}: {}", name, what, std::strerror(number))};
}

int flags_of(int amode) {
  int flags = O_CLOEXEC | ((amode & MPI_MODE_RDWR) != 0     ? O_RDWR
                           : (amode & MPI_MODE_WRONLY) != 0 ? O_WRONLY
                                                            : O_RDONLY);
  if ((amode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if ((amode & MPI_MODE_EXCL) != 0) flags |= O_EXCL;
  return flags;
}

// Calls `step` with the bytes done so far until all are, or it gives none.
template <typename Step>
std::size_t in_steps(std::size_t count, const std::string& name, const char* what, Step step) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t more = step(done);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_failure(name, what);
    if (more == 0) break;
    done += static_cast<std::size_t>(more);
  }
  return done;
}

}  // namespace

StoredFile::StoredFile(std::string name, int amode, unsigned permissions)
    : name_(std::move(name)), descriptor_(open(name_.c_str(), flags_of(amode), permissions)) {
  if (descriptor_ < 0) throw_failure(name_, "opened");
  struct stat about {};
  if (fstat(descriptor_, &about) == 0 && S_ISDIR(about.st_mode)) {
    close(descriptor_);
    throw_failure(name_, "opened", EISDIR);
  }
  has_places_ = lseek(descriptor_, 0, SEEK_CUR) >= 0;
}

StoredFile::~StoredFile() { close(descriptor_); }

MPI_Offset StoredFile::size() const {
  struct stat about {};
  if (fstat(descriptor_, &about) != 0) throw_failure(name_, "asked for its size");
  return about.st_size;
}

void StoredFile::resize(MPI_Offset size) {
  if (ftruncate(descriptor_, size) != 0) throw_failure(name_, "given another size");
}

void StoredFile::reserve(MPI_Offset size) {
  if (size == 0) return;
  if (const int number = posix_fallocate(descriptor_, 0, size); number != 0) throw_failure(name_, "given room", number);
}

std::size_t StoredFile::read(MPI_Offset at, std::byte* bytes, std::size_t count) const {
  return in_steps(count, name_, "read", [&](std::size_t done) {
    return has_places_ ? pread(descriptor_, bytes + done, count - done, at + static_cast<MPI_Offset>(done))
                       : ::read(descriptor_, bytes + done, count - done);
  });
}

void StoredFile::write(MPI_Offset at, const std::byte* bytes, std::size_t count) {
  in_steps(count, name_, "written", [&](std::size_t done) {
    return has_places_ ? pwrite(descriptor_, bytes + done, count - done, at + static_cast<MPI_Offset>(done))
                       : ::write(descriptor_, bytes + done, count - done);
  });
}

void StoredFile::remove(const std::string& name) {
  if (unlink(name.c_str()) != 0) throw_failure(name, "deleted");
}

}  // namespace hindcast::mpi
