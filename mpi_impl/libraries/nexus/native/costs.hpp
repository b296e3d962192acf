// What Nexus takes, as the table [nexus] of the machine's file says.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::nexus {

struct Costs {
  FixedStep header;         // setting up the header of a remote service request
  FixedStep call;           // the calls on its way that do nothing else
  FixedStep lookup;         // finding a request's handler and entering it
  FixedStep locking;        // of the threaded version: around a send, and around taking what has come
  FixedStep thread_create;  // for a request whose handler has a thread of its own
  Bytes header_bytes;       // on the wire, with every request
  bool is_threaded = false;
  bool finishes_pass = true;  // a pass of polls goes on after one that has found something
};

}  // namespace hindcast::nexus
