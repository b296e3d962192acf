// The keys of attributes by which a rank's program controls how the messages of a communicator go (mpi_nexus.h).
#pragma once

#include <array>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/mpich/mpi/endpoint.hpp"

namespace hindcast::mpi {

class CommunicatorKeys final : public NativePart<CommunicatorKeys>, private Choices {
 public:
  static constexpr int count = 4;

  CommunicatorKeys(Process& process, MpichEndpoint& endpoint, const EndRun& end_run);
  ~CommunicatorKeys() { detach(process_.rank(), *this); }
  CommunicatorKeys(const CommunicatorKeys&) = delete;
  CommunicatorKeys& operator=(const CommunicatorKeys&) = delete;

  static CommunicatorKeys* of(const Rank& rank) { return native_part<CommunicatorKeys>(rank); }

  // The handle of a key. From the first one on the device asks.
  int key(int which);

 private:
  ChannelChoice of(std::uint32_t context) override;
  ChannelChoice choice_of(const Comm& comm) const;
  const void* value(const Comm& comm, int which) const;
  int positive(const Comm& comm, int which, const char* name) const;

  Process& process_;
  MpichEndpoint& endpoint_;
  const EndRun& end_run_;
  std::array<Keyval*, count> keys_{};
};

}  // namespace hindcast::mpi
