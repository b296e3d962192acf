// A message on its way to a task, or before its receive.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi_impl/libraries/common/message_layer/message.hpp"
#include "mpi_impl/libraries/pvm/native/buffer.hpp"

namespace hindcast::pvm {

struct Message {
  MessageId number = 0;
  Envelope envelope;
  int encoding = 0;
  Contents contents;
  std::optional<std::uint32_t> place;  // among all that its sender has sent to this task, from 0 on
  layer::Message* in_layer = nullptr;  // whose room it takes at the receiver; null: it has come another way
  bool is_in_library = false;          // it has left the room that it had taken there, before its receive
};

}  // namespace hindcast::pvm
