// Transfers as SimGrid's flows, over the links of the same platform: those that cross a link at one time share its
// bandwidth (engine/flows.hpp), where a wormhole network lets one pass after the other.
//
// All else is as in the wormhole torus, so that one message at a time takes the same in both. A node's port takes one
// message at a time, when its receiver has room (room.hpp), and the next when the last byte of that has left the
// sender's memory: when its flow ends, however slow others make it. The latency of the path is a pipeline behind that.
// So the messages of a pair stay in order.
//
// Who feeds a transfer may be slower than its flow would be (Transfer::pace): the flow then ends early, and the
// injection when the last byte can have come.
//
// Nobody can foresee a flow's end: a sink is told that a transfer has entered when its injection is over.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/flows.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/hardware/network/transfer_queue.hpp"

namespace hindcast {

// What the platform knows of its nodes and paths.
class FluidPaths {
 public:
  virtual std::string host_name(int node) const = 0;  // SimGrid's
  virtual Time latency(int from, int to) = 0;         // of the ports and links on the way

 protected:
  ~FluidPaths() = default;
};

class FluidNetwork final : public Network, private EventSink, private Entrance {
 public:
  // Transfers go between nodes below `nodes_used`. `paths` must outlive the network.
  FluidNetwork(Engine& engine, FluidPaths& paths, int nodes_used);

  void submit(Transfer& transfer) override;
  Time latency(int from, int to) override { return paths_.latency(from, to); }

 private:
  struct Node {
    EventOwner owner;
    const FlowHost* host = nullptr;
    bool is_sending = false;
    Time free;  // since when it sends nothing
    TransferQueue waiting;
  };

  Node& node(int number) { return nodes_[static_cast<std::size_t>(number)]; }
  void fire(const Event& event) override;
  void admit(Transfer& transfer) override;
  bool has_room(Transfer& transfer) { return transfer.room == nullptr || transfer.room->take(transfer, *this); }
  void enter(Transfer& transfer, Node& from);
  void end_injection(Transfer& transfer);
  void record(const Transfer& transfer, const StepKind& kind, Time begin, Time end, std::uint64_t amount = 0) const;

  Engine& engine_;
  FluidPaths& paths_;
  Flows flows_;
  std::vector<Node> nodes_;
};

}  // namespace hindcast
