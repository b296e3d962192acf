// What a message costs by each protocol, in seconds, between neighbours and with nobody else's traffic: what the cost
// formulas of collectives take. Each protocol says it of itself, in its row.
#pragma once

namespace hindcast::mpi {

// So much for any number of bytes, and so much for each.
struct T3eLine {
  double fixed = 0;
  double per_byte = 0;
  double operator()(double bytes) const { return fixed + per_byte * bytes; }
};

// The steps that protocols are made of.
struct T3eStepCosts {
  double send_call = 0;
  double receive_call = 0;
  double message = 0;    // a protocol message, from its making to its having been handled
  double handling = 0;   // the last part of that
  double way = 0;        // the part of that in which its sender goes on already
  double slot_byte = 0;  // what a byte takes more in a message of several slots
  T3eLine get;           // until the data is there
  T3eLine put;           // until it is known that the data is there
  double copied_byte = 0;
};

struct T3eProtocolCosts {
  T3eLine message;           // from the beginning of a send to the end of its receive
  T3eLine between_sends;     // from one send of a rank to its next
  T3eLine between_receives;  // from the end of one receive to that of the next, if both messages have come
};

}  // namespace hindcast::mpi
