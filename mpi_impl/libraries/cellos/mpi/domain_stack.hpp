// MPI's contexts as domains of CellOS: a communicator has two, for point to point and for its collectives, which its
// members register. Each process begins with a stack of numbers that are nobody else's; the first rank of a new
// communicator pops two, and pushes them back when it has freed it.
//
// An MPI_COMM_WORLD of ranks that are born later has a number that is on no stack.
//
// What it pushes has the same place in the stack but is a new number, out of the 2^32 that there are: a message of a
// communicator that is gone is of no other's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/transport/contexts.hpp"

namespace hindcast::mpi {

class CellosDomainStack final : public Contexts {
 public:
  CellosDomainStack(cellos::Cell& cell, int numbers) : cell_(cell), numbers_(numbers) {}

  std::uint32_t take(int members) override;
  std::uint32_t of_world(int number) const override;
  void begin_with(std::uint32_t context) override;
  bool join(std::uint32_t context) override;
  void leave(std::uint32_t context) override;
  std::string why_not(Obstacle obstacle) const override;

 private:
  // Two numbers of the stack.
  struct Pair {
    std::uint32_t place = 0;
    std::uint32_t uses = 0;  // of the place, so far
  };
  std::uint32_t context_of(const Pair& pair) const;
  void fill();

  cellos::Cell& cell_;
  int numbers_;
  bool is_filled_ = false;
  std::vector<Pair> stack_;
  std::vector<Pair> taken_;
};

}  // namespace hindcast::mpi
