// What messages, copies and combinations cost on a machine, in seconds, as the cost formulas of algorithms have it. The
// formulas leave out what is the same for everybody in a network without contention; a test holds them against the
// simulator on an ideal machine.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

// A line: so much for any number of bytes, and so much for each.
struct LinearCost {
  double fixed = 0;
  double per_byte = 0;
  double operator()(double bytes) const { return fixed + per_byte * bytes; }
};

// Of a message, which costs something else once it has to ask before it travels. Some libraries have another way in
// between.
struct MessageCost {
  MessageCost() = default;
  MessageCost(LinearCost of_any_length) : eager(of_any_length), eager_limit(std::numeric_limits<double>::infinity()) {}
  MessageCost(double fixed, double per_byte) : MessageCost(LinearCost{fixed, per_byte}) {}

  LinearCost eager;
  LinearCost asking;
  double eager_limit = 0;
  LinearCost medium = {};
  double medium_limit = 0;
  // Of something else, which also depends on whether a message asks.
  MessageCost with(LinearCost unasked, LinearCost asked) const {
    MessageCost cost = *this;
    cost.eager = cost.medium = unasked;
    cost.asking = asked;
    return cost;
  }
  bool asks(double bytes) const { return bytes > eager_limit && bytes > medium_limit; }
  double operator()(double bytes) const {
    return bytes <= eager_limit ? eager(bytes) : bytes <= medium_limit ? medium(bytes) : asking(bytes);
  }
};

// Of a broadcast of the machine's: all of its bytes travel, and as many as a receiver wants are copied.
struct BroadcastCost {
  double fixed = 0;
  double per_byte = 0;
  double per_byte_copied = 0;
  double operator()(double bytes, double copied) const { return fixed + per_byte * bytes + per_byte_copied * copied; }
};

struct CostModel {
  MessageCost message;           // T: from the beginning of a send to the end of its receive
  MessageCost between_sends;     // S: from one send of a rank to its next
  MessageCost between_receives;  // R: from the end of one receive to that of the next, if both have arrived
  LinearCost copy;               // K
  MessageCost waiting_message;   // W: what a message costs more that comes, or asks, before its receive is ready
  LinearCost combine;            // C
  // On machines that have such, to all ranks of a run.
  Offers offers = {};
  BroadcastCost broadcast;           // B: from the call that sends to the end of the last receive
  LinearCost waiting_broadcast;      // Y: what one costs more that comes while its receiver does not wait for it alone
  BroadcastCost between_broadcasts;  // Q: from the end of one to the next, if all have been submitted
  double barrier = 0;                // D
  double element_reduction = 0;      // E
  std::map<std::string, LinearCost, std::less<>> own;  // of a library's own algorithms, by the names of their terms
  // For algorithms of two levels: how many groups there are, how many ranks the largest has, and what all of the above
  // is inside a group, where that is something else.
  int groups = 1;
  int largest_group = 1;
  std::shared_ptr<const CostModel> inside = nullptr;
};

// A term that the formulas of a library's own algorithms have: a row beside them. The text says in words what the term
// is for m bytes.
struct OwnTerm {
  const char* name;
  const char* text;
};

}  // namespace hindcast::mpi
