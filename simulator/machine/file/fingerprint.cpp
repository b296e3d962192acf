#include "simulator/machine/file/fingerprint.hpp"

#include <fmt/format.h>

namespace hindcast {

// Fowler's, Noll's and Vo's, of 32 bits.
std::uint32_t fingerprint_of(const MachineFile& file) {
  std::uint32_t hash = 2166136261;
  for (const Parameter& parameter : file.parameters())
    for (const char letter : fmt::format("{} {}\n", parameter.key, shown_value(parameter))) {
      hash ^= static_cast<unsigned char>(letter);
      hash *= 16777619;
    }
  return hash;
}

}  // namespace hindcast
