// h_sscatter and h_rgather: the host gives every cell a block of its data at once, or takes one from every cell.
//
// The paper on MPI names the two and says that they can work with strided data; the interfaces of the broadcast net are
// known to have controllers that scatter and gather by themselves. The rest is assumed. The host and all cells call the
// routine, and pay what a call that sends or receives costs, since it tells the controller where the data is. That all
// have called is signalled over a tree, as for hsync. Then the blocks take the broadcast net in one transfer with one
// header, in the order of the cells and at the pace of the host's line: controllers take them from the program's memory
// and put them there, without a copy. When the last byte has passed, all calls return.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi_impl/libraries/cellos/native/group/reductions.hpp"
#include "mpi_impl/libraries/cellos/native/put_and_get.hpp"
#include "simulator/hardware/collective/broadcast_bus.hpp"

namespace hindcast::cellos {

enum class Direction : std::uint8_t { scatter, gather };
const char* name_of(Direction direction);

// What a caller brings: its block; on the host that of cell 0, behind which the next cell's begins so much further on.
struct DistributedBlock {
  Strided items;
  std::int64_t apart = 0;
  // Told when it is over, unless null: how many bytes the host's blocks have, or the longest one of a cell.
  std::uint64_t* opposite = nullptr;
};

class Distribution final : private BusSink {
 public:
  // The tree has the host and all cells as leaves, in the order of ranks.
  Distribution(System& system, BroadcastBus& bus, BarrierTree& tree, const LineToBus& line)
      : system_(system), bus_(bus), tree_(tree), line_(line) {}

  // By a thread: returns when it is over, or at once, and `over` completes then. As much is moved as there is in both
  // the host's block and the cell's.
  void pass(Cell& cell, Direction direction, const DistributedBlock& block);
  void begin(Cell& cell, Direction direction, const DistributedBlock& block, Completion& over);

 private:
  class Part;
  class BlockingPart;
  class BegunPart;

  void arrive(Part& part);
  void start();
  void granted(BusTransfer& transfer) override { bus_.start(transfer); }
  void delivered(BusTransfer& transfer) override;
  void move(Part& host, Part& cell) const;

  System& system_;
  BroadcastBus& bus_;
  BarrierTree& tree_;
  const LineToBus& line_;
  BusTransfer transfer_;
  std::vector<Part*> parts_;  // by rank, from the first that has called on
};

}  // namespace hindcast::cellos
