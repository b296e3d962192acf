// What pvm_getmboxinfo has told a program, which has pointers into it until it asks again.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

struct ToldMailboxes {
  std::deque<std::string> names;
  std::deque<std::vector<int>> numbers;  // of each: indices, owners, flags
  std::vector<pvmmboxinfo> infos;
};

}  // namespace hindcast::pvm
