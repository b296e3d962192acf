#include "mpi_impl/core/windows/public_copy.hpp"

#include <algorithm>
#include <cstring>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/window.hpp"

namespace hindcast::mpi {

PublicCopy::PublicCopy(std::byte* own, std::size_t bytes)
    : own_(own), bytes_(bytes), public_(get_memory(bytes)), known_(get_memory(bytes)) {
  if (bytes == 0) return;
  std::memcpy(public_.get(), own, bytes);
  std::memcpy(known_.get(), own, bytes);
}

// Most of it has not changed.
Bytes PublicCopy::carry_over(const std::byte* from, std::byte* to) {
  constexpr std::size_t piece = 64;
  std::byte* const known = known_.get();
  std::uint64_t changed = 0;
  for (std::size_t begin = 0; begin < bytes_; begin += piece) {
    const std::size_t end = std::min(begin + piece, bytes_);
    if (std::memcmp(from + begin, known + begin, end - begin) == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (from[i] == known[i]) continue;
      to[i] = known[i] = from[i];
      ++changed;
    }
  }
  return Bytes(changed);
}

void publish(Process& process, Window& window) {
  if (window.public_copy == nullptr) return;
  Thread::current()->settle();
  process.endpoint().local().spend_copy(window.public_copy->publish(), 0);
}

void take_in(Process& process, Window& window) {
  if (window.public_copy == nullptr) return;
  Thread::current()->settle();
  process.endpoint().local().spend_copy(window.public_copy->take_in(), 0);
}

}  // namespace hindcast::mpi
