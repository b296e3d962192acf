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

class NetworkThroughMemory final : public Network, private EventSink {
 public:
  // All outlive it. `waits` is what a recorder is told of time that the memories add.
  NetworkThroughMemory(Engine& engine, Network& network, Bandwidth own, const StepKind& waits)
      : engine_(engine), network_(network), own_(own), waits_(waits) {}

  // Before the run. At the others units have a way of their own to the memory.
  void add(int node, MemoryPort& port);

  void submit(Transfer& transfer) override;
  void fetch(const Transfer& transfer, FetchLevel level) const override {
    network_.fetch(transfer, level);
    fetch_port(transfer.from, level);
  }
  Time latency(int from, int to) override { return network_.latency(from, to); }
  bool keeps_pairs_in_order() const override { return network_.keeps_pairs_in_order(); }

 private:
  // Stands for a sink of messages with the network, as long as these are on their way. There are few sinks: the units
  // of a machine, and not their messages.
  class StandIn final : public TransferSink {
   public:
    StandIn(NetworkThroughMemory& network, TransferSink& sink) : network_(network), sink_(sink) {}
    TransferSink& sink() const { return sink_; }

   private:
    void entered(Transfer& transfer) override { network_.entered(transfer, *this); }
    void arrived(Transfer& transfer) override { network_.arrived(transfer, *this); }
    void fetch(const Transfer& transfer, FetchLevel level) const override {
      network_.fetch_port(transfer.to, level);
      sink_.fetch(transfer, level);
    }
    NetworkThroughMemory& network_;
    TransferSink& sink_;
  };
  // A message on its way that finds memories in it: these are asked when it has come. Most short ones have none.
  class Passage final : public TransferSink {
   public:
    explicit Passage(NetworkThroughMemory& network) : network_(network) {}
    void begin(Transfer& of, TransferSink& told);

    Transfer* transfer;
    TransferSink* sink;
    Time injected;            // as the network has it
    MemoryPort::Use* reads;   // null: it has been read, or need not be
    MemoryPort::Use* writes;  // likewise
    Time read_until;          // if a unit has read it
    Time latency;             // if a unit reads it: from the sender to the receiver
    Time came;                // the last byte, as the network has it
    bool has_come;
    bool tells_entry;  // when it has been read

   private:
    void entered(Transfer&) override {}
    void arrived(Transfer&) override { network_.come(*this); }
    void fetch(const Transfer& of, FetchLevel level) const override { sink->fetch(of, level); }
    NetworkThroughMemory& network_;
  };
  enum Work : std::uint8_t { reading, writing };
  enum class Moment : std::uint8_t { read, goes_on };
  struct Node {
    MemoryPort* port = nullptr;
    EventOwner owner;
    MemoryPort::Line lines[2];
  };

  // Null: its units do not share a port.
  Node* node(int number) {
    const auto index = static_cast<std::size_t>(number);
    return index < nodes_.size() && nodes_[index].port != nullptr ? &nodes_[index] : nullptr;
  }
  MemoryPort& port(int number) { return *nodes_[static_cast<std::size_t>(number)].port; }
  // Its first line, which short messages look at, in two levels.
  void fetch_port(int number, FetchLevel level) const {
    const auto index = static_cast<std::size_t>(number);
    if (index >= nodes_.size()) return;
    if (level == 0) fetch_lines(&nodes_[index], 0, 1);
    if (level == 1) fetch_lines(nodes_[index].port, 0, 1);
  }
  StandIn& stand_in_for(TransferSink& sink) {
    if (last_stand_in_ == nullptr || &last_stand_in_->sink() != &sink) last_stand_in_ = &found_or_made_for(sink);
    return *last_stand_in_;
  }
  StandIn& found_or_made_for(TransferSink& sink);
  void entered(Transfer& transfer, const StandIn& stand_in);
  void arrived(Transfer& transfer, const StandIn& stand_in);
  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void at(Time time, int node, Passage& passage, Moment moment);
  MemoryPort::Use* line_up(Node& node, Work work, Time from, Bytes bytes);
  void begin_reading(Passage& passage, Node& from);
  void end_reading(Passage& passage, Time end);
  bool end_writing(Passage& passage);
  static void tell_entered(Transfer& transfer, TransferSink& sink, Time injected);
  MemoryPort::Use* write_behind_others(const Transfer& transfer);
  void come(Passage& passage);
  void go_on(Passage& passage);
  void end(Passage& passage);
  static void tell_arrived(Transfer& transfer, TransferSink& sink);
  Passage& new_passage(Transfer& transfer, TransferSink& sink);

  Engine& engine_;
  Network& network_;
  const Bandwidth own_;
  const StepKind waits_;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<StandIn>> stand_ins_;
  StandIn* last_stand_in_ = nullptr;
  std::vector<std::unique_ptr<Passage>> all_passages_;
  std::vector<Passage*> free_passages_;
};

}  // namespace hindcast
