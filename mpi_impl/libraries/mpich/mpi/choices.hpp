// Where a rank's device asks what its program has chosen for the messages of a communicator.
#pragma once

#include <cstdint>

#include "mpi_impl/libraries/mpich/mpi/channel.hpp"

namespace hindcast::mpi {

class Choices {
 public:
  // By one of the communicator's contexts, on the rank's threads.
  virtual ChannelChoice of(std::uint32_t context) = 0;

 protected:
  ~Choices() = default;
};

}  // namespace hindcast::mpi
