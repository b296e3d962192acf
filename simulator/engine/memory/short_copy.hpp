// Copies of what is likely to be short, such as most messages.
#pragma once

#include <cstddef>
#include <cstring>

#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast {

// Two copies of fixed length that may overlap, which take less than a call.
inline void copy_short(void* to, const void* from, std::size_t bytes) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  const auto both_ends = [&]<std::size_t part>() {
    std::byte first[part], last[part];
    std::memcpy(first, source, part);
    std::memcpy(last, source + bytes - part, part);
    std::memcpy(target, first, part);
    std::memcpy(target + bytes - part, last, part);
  };
  if (bytes > 32)
    copy_bytes(target, source, bytes);
  else if (bytes >= 16)
    both_ends.operator()<16>();
  else if (bytes >= 8)
    both_ends.operator()<8>();
  else if (bytes >= 4)
    both_ends.operator()<4>();
  else
    for (std::size_t i = 0; i < bytes; ++i) target[i] = source[i];
}

}  // namespace hindcast
