#include "simulator/programs/load/opened/file_images.hpp"

#include <tuple>

namespace hindcast::programs {

namespace {

// Whether the file is the same and has not been written in between.
bool is_same(const struct stat& one, const struct stat& other) {
  const auto what = [](const struct stat& file) {
    return std::tuple(file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  };
  return what(one) == what(other);
}

}  // namespace

std::shared_ptr<const ElfImage> FileImages::of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::make_shared<const ElfImage>(path);  // it throws, and says why
  std::erase_if(read_, [](const Read& read) { return read.image.expired(); });
  for (const Read& read : read_)
    if (is_same(read.status, status)) return read.image.lock();
  auto image = std::make_shared<const ElfImage>(path);
  read_.push_back({status, image});
  return image;
}

}  // namespace hindcast::programs
