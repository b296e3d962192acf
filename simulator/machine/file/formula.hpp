// The arithmetic that a machine's file writes down for a number, such as "25 us - mpi.header_bytes * bus.bandwidth".
// `hindcast uncertainty` works it out. Here it is only read, so that a mistake in it is told with the file's others.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

struct Parameter;

struct Formula {
  std::string key;        // of the number whose formula it is
  std::string attribute;  // "follows" or "at_most"
  std::string text;
  int line = 0;
  int column = 0;
};

// What is wrong with it, for people; empty if nothing is. `left_out` are the keys that parts of the machine know and
// the file has not got.
std::string problem_of(const Formula& formula, const std::vector<Parameter>& parameters,
                       const std::vector<std::string>& left_out);

}  // namespace hindcast
