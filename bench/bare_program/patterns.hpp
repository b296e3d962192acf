// What each rank of the bare program does in an iteration: the messages of an MPI benchmark, with what it waits for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bare {

// A rank's memory is two arrays of blocks; most messages are of one.
struct Place {
  enum class Array : unsigned char { out, in } array;
  int block;
};

struct Round {
  static constexpr int nobody = -1;
  int to = nobody;  // a message goes there first
  Place from{};     // in the sender's memory
  Place target{};   // in the receiver's
  int turn = 0;     // among messages sent at one instant
  // Then so many messages of its own are waited for: to have come, and to have been delivered.
  int receives = 0;
  int sends = 0;
  int blocks = 1;  // of the message
};

struct Pattern {
  std::vector<Round> rounds;
  int out_blocks = 1;
  int in_blocks = 1;
};

// Null if there is none of that name.
using PatternFunction = Pattern (*)(int rank, int ranks);
PatternFunction find_pattern(const std::string& name);
std::string pattern_names();

}  // namespace bare
