// What TCP takes, as the table [tcp] of the machine's file says.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::tcp {

struct Costs {
  FixedStep send;      // a call that sends, or listens or closes
  FixedStep connect;   // one that connects
  FixedStep receive;   // a call that receives or accepts, once there is something
  FixedStep select;    // a look at what has come
  RatedStep protocol;  // the system's work on what a host sends, by the byte, beside its program
  FixedStep delivery;  // the system's work on a segment that has come, until a program can read it
  Bytes segment;       // the most that one has of the program's bytes
  Bytes header;        // of each
  Time gives_up;       // after so long without an acknowledgement
  Bytes buffer;        // a socket's, on either side, unless its program sets another
};

// What a host's processor takes to copy, by the byte.
struct CopyCosts {
  RatedStep in;   // to the system's buffer
  RatedStep out;  // from it
};

}  // namespace hindcast::tcp
