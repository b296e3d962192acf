// Transfers as SimGrid's flows, over the links of the platform: those that cross a link at one time share its bandwidth
// (engine/flows.hpp), where a wormhole network lets one pass after the other. FluidNetwork and WideArea are networks of
// this sort, which say whose transfers wait for whose.
//
// Transfers that wait in one line (Line) enter one after the other: each when its receiver has room (room.hpp) and the
// flow of the one before has ended, however slow others made it. The latency of the path is a pipeline behind that. So
// the messages of a line stay in order.
//
// Who feeds a transfer may be slower than its flow would be (Transfer::pace): the flow then ends early, and the
// injection when the last byte can have come.
//
// Nobody can foresee a flow's end: a sink is told that a transfer has entered when its injection is over.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/engine/composed_step_kind.hpp"
#include "simulator/engine/flows.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/network_links.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/hardware/network/transfer_queue.hpp"

namespace hindcast {

// SimGrid's name of the host that is a node.
using NameOfNode = std::function<std::string(int node)>;

class FlowNetwork : public Network, private EventSink, private Entrance {
 public:
  void submit(Transfer& transfer) final;

 protected:
  struct Line {
    bool is_sending = false;
    Time free;  // since when it sends nothing
    TransferQueue waiting;
  };
  // What a transfer's time goes to.
  struct Steps {
    StepKind wait;
    ComposedStepKind flow;
    ComposedStepKind path_latency;
  };

  // Transfers go between nodes of these.
  FlowNetwork(Engine& engine, Flows& flows, NameOfNode name_of_node, JoinedNodes nodes);

  virtual Line& line_of(const Transfer& transfer) = 0;
  virtual Rate quickest(const Transfer& transfer) = 0;  // unlimited: as quick as the links
  virtual const Steps& steps_of(const Transfer& transfer) = 0;

 private:
  struct Node {
    EventOwner owner;
    const FlowNode* end = nullptr;  // of flows, once it is needed
  };

  Node& node(int number) { return nodes_[static_cast<std::size_t>(number - first_node_)]; }
  const FlowNode* end_at(int number);
  void fire(const Event& event) final;
  void admit(Transfer& transfer) final;
  bool has_room(Transfer& transfer) { return transfer.room == nullptr || transfer.room->take(transfer, *this); }
  void enter(Transfer& transfer, Line& line);
  void end_injection(Transfer& transfer);
  void let_first_in(Line& line);
  void record(const Transfer& transfer, const StepKind& kind, Time begin, Time end, std::uint64_t amount = 0) const;

  Engine& engine_;
  Flows& flows_;
  const NameOfNode name_of_node_;
  const int first_node_;
  std::vector<Node> nodes_;
};

}  // namespace hindcast
