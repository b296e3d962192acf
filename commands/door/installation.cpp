#include "commands/door/installation.hpp"

namespace hindcast {

std::filesystem::path installation_prefix() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

}  // namespace hindcast
