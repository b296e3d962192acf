// A remote service request on its way: what the methods carry from one context to another.
#pragma once

#include <vector>

#include "mpi_impl/libraries/common/attachment.hpp"
#include "simulator/engine/recorder.hpp"

namespace hindcast::nexus {

class Context;

// What a library on Nexus puts into its requests besides data, which counts as so many bytes on the wire.
using Attachment = AttachmentOf<64>;

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
