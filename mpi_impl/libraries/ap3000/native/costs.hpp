// What the message layer takes, as the machine's file says.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::ap3000 {

struct Costs {
  FixedStep send;      // what a call takes before the message controller can begin to read the data
  FixedStep receive;   // what a call takes, once the message is there, before its data can be copied
  FixedStep probe;     // a look whether something has come
  RatedStep copy_out;  // of the system's buffer, by the byte
  FixedStep clock_read;
  Bytes header;         // of every message
  Bytes system_buffer;  // of each node
};

}  // namespace hindcast::ap3000
