// What MPL's calls take, as the table [mpl] of the machine's file says.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::mpl {

struct Costs {
  FixedStep send;         // a call that sends
  FixedStep long_set_up;  // besides, of a message that is longer than a short one may be
  FixedStep post;         // a call that posts a receive
  FixedStep receive;      // the end of a receive, once its message is there
  FixedStep status;       // a look whether something has come, or is over
  RatedStep copy_out;     // of a message that came before its receive, by the byte
  RatedStep combine;      // of a reduction's elements
  Bytes short_max;        // the longest message that goes in one piece with its envelope
  Bytes header;           // on the wire, with every message
};

}  // namespace hindcast::mpl
