// What a message layer takes, as its library reads it from the machine's file.
#pragma once

#include <optional>

#include "simulator/engine/recorder.hpp"

namespace hindcast::layer {

struct Costs {
  FixedStep send;                    // what a call takes before its message can leave
  std::optional<FixedStep> post;     // what a call takes that posts a receive; none: no time
  std::optional<FixedStep> receive;  // what a call takes that ends a receive, once its message is there; none: no time
  FixedStep probe;                   // a look whether something has come
  RatedStep copy_out;                // of the system's buffer, by the byte
  bool all_go_to_buffer = false;     // what arrives; else what comes before its receive
  FixedStep clock_read;
  Bytes header;  // of every message
};

}  // namespace hindcast::layer
