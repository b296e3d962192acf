// What a library sends along with a message of the library that it stands on.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>

#include "simulator/engine/units.hpp"

namespace hindcast {

// It counts as so many bytes on the wire, whatever the simulation has of it.
template <std::size_t room>
class AttachmentOf {
 public:
  template <typename Content>
  void set(const Content& content, Bytes bytes) {
    static_assert(sizeof(Content) <= room && std::is_trivially_copyable_v<Content>);
    std::memcpy(content_.data(), &content, sizeof content);
    bytes_ = bytes;
  }
  template <typename Content>
  Content get() const {
    Content content;
    std::memcpy(&content, content_.data(), sizeof content);
    return content;
  }
  Bytes bytes() const { return bytes_; }

 private:
  std::array<std::byte, room> content_;
  Bytes bytes_;
};

}  // namespace hindcast
