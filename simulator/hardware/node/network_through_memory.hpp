// A network whose units read and write the memories of nodes through the ports that the nodes' processors share
// (memory_port.hpp). It is another network's, whose way stays as it is. What the memories add:
//
//   At the sender the unit reads a message from when it enters the network, at `own` rate at most. If the last byte has
//   been read later than the network would have taken it, it arrives a latency after that, or when it would have
//   anyway. At the receiver the unit begins to write so early that it would be done when the last byte arrives: own x
//   bytes before that, and no earlier than the first byte arrives. The message has arrived when its last byte has, and
//   has been written.
//
// A unit reads one message after the other, and writes one after the other, so that those of a pair stay in order. One
// so short that it fits in between what others move at the port is read as it leaves and written as it comes, unless
// the unit is at another.
// The network has to foresee injections when it is entered, as a wormhole network does.
#pragma once

#include <memory>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/memory_port.hpp"

namespace hindcast {

class NetworkThroughMemory final : public Network, private TransferSink, private EventSink {
 public:
  // All outlive it. `waits` is what a recorder is told of time that the memories add.
  NetworkThroughMemory(Engine& engine, Network& network, Bandwidth own, const StepKind& waits)
      : engine_(engine), network_(network), own_(own), waits_(waits) {}

  // Before the run. At the others units have a way of their own to the memory.
  void add(int node, MemoryPort& port);

  void submit(Transfer& transfer) override;
  void fetch(const Transfer& transfer) const override { network_.fetch(transfer); }
  Time latency(int from, int to) override { return network_.latency(from, to); }
  bool keeps_pairs_in_order() const override { return network_.keeps_pairs_in_order(); }

 private:
  // A message on its way: the network's transfer, and the one that was submitted.
  struct Passage {
    Transfer inner;
    Transfer* outer;
    MemoryPort::Use* reads;   // null: it has been read, or need not be
    MemoryPort::Use* writes;  // likewise
    Time read_until;          // if later than the network would have taken it
    Time came;                // the last byte, as the network has it
    bool has_come;
    bool tells_entry;  // when it has been read
  };
  enum Work : std::uint8_t { reading, writing };
  enum class Moment : std::uint8_t { read, goes_on };
  struct Node {
    MemoryPort* port = nullptr;
    EventOwner owner;
    MemoryPort::Line lines[2];
  };

  static Passage& passage_of(Transfer& inner) { return reinterpret_cast<Passage&>(inner); }
  // Null: its units do not share a port.
  Node* node(int number) {
    const auto index = static_cast<std::size_t>(number);
    return index < nodes_.size() && nodes_[index].port != nullptr ? &nodes_[index] : nullptr;
  }
  MemoryPort& port(int number) { return *nodes_[static_cast<std::size_t>(number)].port; }
  void entered(Transfer& inner) override;
  void arrived(Transfer& inner) override;
  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void fetch(const Transfer& inner, FetchLevel level) const override;
  void at(Time time, int node, Passage& passage, Moment moment);
  MemoryPort::Use* line_up(Node& node, Work work, Time from, Bytes bytes);
  bool end_reading(Passage& passage, Moment moment);
  bool end_writing(Passage& passage);
  void tell_entered(Passage& passage, Time injected);
  void go_on(Passage& passage);
  void end(Passage& passage);
  Passage& new_passage();

  Engine& engine_;
  Network& network_;
  const Bandwidth own_;
  const StepKind waits_;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Passage>> all_passages_;
  std::vector<Passage*> free_passages_;
};

}  // namespace hindcast
