// A remote service request on its way: what the methods carry from one context to another.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "simulator/engine/recorder.hpp"

namespace hindcast::nexus {

class Context;

// What a library on Nexus puts into its requests besides data, which counts as so many bytes on the wire.
class Attachment {
 public:
  template <typename Content>
  void set(const Content& content, Bytes bytes) {
    static_assert(sizeof(Content) <= sizeof content_ && std::is_trivially_copyable_v<Content>);
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
  std::array<std::byte, 64> content_;
  Bytes bytes_;
};

// Made by its sender, and its receiver's from when it is taken until it is freed there.
struct Message {
  Context* from = nullptr;
  Context* to = nullptr;
  std::size_t handler = 0;
  void* address = nullptr;  // of the object that the global pointer leads to
  std::vector<std::byte> data;
  Attachment attachment;
  MessageId number = 0;
  Bytes on_wire;  // of all that the method carries
  Bytes buffer;   // of the connection that is asked for; none: the method's usual one
};

}  // namespace hindcast::nexus
