// The memories of nodes, as a network between ranks of one node: what is submitted is moved through the node's memory
// port, in the order of submission or all at one time (memory_port.hpp), and is seen by the other processor a little
// later.
#pragma once

#include <memory>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/memory_port.hpp"

namespace hindcast {

class NodeMemories final : public Network, private EventSink {
 public:
  // What the memory of a node is like, and the keys in the machine's file that say so. The texts stay where they are.
  struct Kind {
    Bandwidth port;
    MemoryPort::Sharing sharing;
    Bandwidth own;   // of what moves bytes without a processor
    FixedStep seen;  // until what has been stored is seen by another processor
    StepKind moved;
    Bytes waits_from = Bytes();  // what its processors move of less waits for nobody
  };

  explicit NodeMemories(Engine& engine) : engine_(engine) {}

  // Before the run. The others have none.
  void add(int node, const Kind& kind);
  MemoryPort& port(int node) { return at(node).port; }

  void submit(Transfer& transfer) override;
  Time latency(int from, int) override { return at(from).kind.seen.cost; }

 private:
  struct Memory {
    Memory(const Kind& of_kind, EventOwner by)
        : kind(of_kind), port(of_kind.port, of_kind.sharing, of_kind.waits_from), owner(by) {}
    const Kind kind;
    MemoryPort port;
    EventOwner owner;
  };
  // A transfer that is being moved.
  struct Move {
    Transfer* transfer;
    MemoryPort::Use* use;
    Move* next_free;
  };

  Memory& at(int node) { return *memories_[static_cast<std::size_t>(node)]; }
  void fire(const Event& event) override;
  void moved(Move& move, Memory& memory);
  Move& new_move();
  void record(const Transfer& transfer, const StepKind& kind, Time begin, Time end, std::uint64_t amount = 0) const;

  Engine& engine_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<std::unique_ptr<Move>> all_moves_;
  Move* free_moves_ = nullptr;
};

}  // namespace hindcast
