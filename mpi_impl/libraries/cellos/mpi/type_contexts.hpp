// MPI's contexts as bits of CellOS's type: so many bits, so many contexts, two for each communicator, of which
// MPI_COMM_WORLD has the first. A number is in use on the whole machine until the process that took it has freed its
// communicator; who knows which are left costs nothing. Communicators of one process need none (carrier.hpp).
//
// In the simulation a new communicator's contexts are nobody else's, so that no message can go astray: messages of one
// that is gone are thrown away, or stay where they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/transport/contexts.hpp"

namespace hindcast::mpi {

// What the processes share.
class CellosTypeNumbers final : public EventSink {
 public:
  explicit CellosTypeNumbers(int bits) : bits_(bits), left_((1 << (bits - 1)) - 1) {}

  int bits() const { return bits_; }
  int for_communicators() const { return (1 << (bits_ - 1)) - 1; }
  // At the calling thread's time. 0: there are no more.
  std::uint32_t take();

  void fire(const Event&) override { ++left_; }  // one is free again

 private:
  int bits_;
  int left_;
  std::uint32_t next_context_ = 8;  // after MPI_COMM_WORLD's and MPI_COMM_SELF's
};

class CellosTypeContexts final : public Contexts, private EventSink {
 public:
  CellosTypeContexts(cellos::Cell& cell, CellosTypeNumbers& numbers) : cell_(cell), numbers_(numbers) {}

  std::uint32_t take(int members) override;
  std::uint32_t of_world(int) const override { return 0; }  // a receiver is in one only
  void begin_with(std::uint32_t) override {}
  bool join(std::uint32_t) override { return true; }
  void leave(std::uint32_t context) override;
  std::string why_not(Obstacle obstacle) const override;

 private:
  void fire(const Event& event) override;  // the messages of a communicator go

  cellos::Cell& cell_;
  CellosTypeNumbers& numbers_;
  std::uint32_t own_contexts_ = 0;
  std::vector<std::uint32_t> taken_;
};

}  // namespace hindcast::mpi
