// What MPI says of a message where it is sent and where it has been received.
#pragma once

#include <cstdint>

namespace hindcast {

// Texts last as long as the run.
struct MessageLabel {
  const char* call = nullptr;  // "MPI_Send"; null if no call is known
  const char* method = "";     // by which it goes, if there are several
  std::uint32_t context = 0;
  std::int32_t tag = 0;
};

}  // namespace hindcast
