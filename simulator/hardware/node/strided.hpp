// Data in a program's memory as hardware moves it without the processor: so many items of so many bytes, each so far
// behind the one before, or wherever a list says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simulator/engine/memory/copy_bytes.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

struct Strided {
  void* first = nullptr;
  std::uint64_t items = 0;
  std::uint64_t item_bytes = 0;
  std::int64_t stride = 0;
  const std::int64_t* offsets = nullptr;  // the list, if there is one: of each item, from the first address on

  Bytes bytes() const { return Bytes(items * item_bytes); }
};

inline Strided in_one_piece(const void* data, Bytes bytes) { return {const_cast<void*>(data), 1, bytes.count(), 0}; }

// The first `bytes` of the data, which may end within an item: to or from one piece.
template <typename Copy>
void for_each_item(const Strided& data, Bytes bytes, Copy copy) {
  auto* item = static_cast<std::byte*>(data.first);
  const std::int64_t* offset = data.offsets;
  for (std::uint64_t position = 0; position < bytes.count(); position += data.item_bytes, item += data.stride) {
    if (offset != nullptr) item = static_cast<std::byte*>(data.first) + *offset++;
    copy(item, position, std::min(data.item_bytes, bytes.count() - position));
  }
}
inline void gather(const Strided& from, Bytes bytes, std::byte* to) {
  for_each_item(from, bytes, [to](const std::byte* item, std::uint64_t position, std::uint64_t length) {
    copy_bytes(to + position, item, length);
  });
}
inline void scatter(const std::byte* from, Bytes bytes, const Strided& to) {
  for_each_item(to, bytes, [from](std::byte* item, std::uint64_t position, std::uint64_t length) {
    copy_bytes(item, from + position, length);
  });
}

}  // namespace hindcast
