// What NX's calls take, as the table [nx] of the machine's file says.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::nx {

struct Costs {
  FixedStep send;      // a call that sends
  FixedStep receive;   // a call that receives
  FixedStep probe;     // a call that looks whether something has come
  RatedStep copy_out;  // of a message that came before its receive, by the byte
  FixedStep clock_read;
  Bytes header;  // on the wire, with every message
};

}  // namespace hindcast::nx
