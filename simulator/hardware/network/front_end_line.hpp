// The way of messages between a machine's front end, a computer beside the nodes, and a node: the front end's line, and
// the broadcast bus that the line ends at. The bus serves one at a time, in the order that it has for broadcasts, so
// that the front end's messages wait for each other and for those. docs/networks.md has the times.
//
// A node's messages enter in the order of their submission: each when the one before has arrived and its receiver has
// room. Until then it waits in its sender and does not ask for the bus.
#pragma once

#include <unordered_map>

#include "simulator/hardware/collective/broadcast_bus.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/hardware/network/transfer_queue.hpp"

namespace hindcast {

class FrontEndLine final : public Network, private BusSink, private Entrance {
 public:
  // `table` is what the machine's file has of the front end.
  FrontEndLine(Engine& engine, BroadcastBus& bus, const Channel& line, const std::string& table);

  // What broadcasts take that the front end takes part in.
  const LineToBus& line() const { return line_; }

  void submit(Transfer& transfer) override;
  Time latency(int, int) override { return line_.channel.latency + bus_.latency(); }

 private:
  // The first of those that wait is about to enter, or on its way.
  struct Sender : BusTransfer {
    TransferQueue waiting;
  };

  void try_to_enter(Sender& sender);
  void enter(Sender& sender);
  void admit(Transfer& transfer) override;
  void granted(BusTransfer& turn) override;
  void delivered(BusTransfer& turn) override;

  Engine& engine_;
  BroadcastBus& bus_;
  const LineToBus line_;
  const ComposedStepKind waits_for_line_;
  std::unordered_map<int, Sender> senders_;  // by node
};

}  // namespace hindcast
