// What becomes of a message that is longer than the system's buffers (mpi.longer_messages). Each way has its row where
// it is built.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/rows.hpp"

namespace hindcast::mpi {

enum class Longer : std::uint8_t { is_refused, goes_by_put, goes_in_parts };

struct LongerMessages {
  const char* name;
  Longer what;
};

std::vector<std::string> names_of_longer_messages();
Longer longer_messages(const std::string& name);

}  // namespace hindcast::mpi
