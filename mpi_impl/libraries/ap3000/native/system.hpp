// What all nodes of a run share: the network behind the nodes' SBuses, the numbers of the machine's file, the records
// of messages.
//
// A node's message controller reads what is sent, and writes what arrives, over the node's SBus, which is one bus for
// both. It begins to write as soon as the first bytes come. So the least of SBus and links is what a message goes at,
// and a node that sends and receives at one time does both more slowly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/libraries/ap3000/native/costs.hpp"
#include "mpi_impl/libraries/ap3000/native/message.hpp"
#include "mpi_impl/libraries/ap3000/native/system_buffer.hpp"
#include "mpi_impl/libraries/common/message_records.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/hardware/node/network_through_memory.hpp"

namespace hindcast::ap3000 {

class Node;

// Between a node's memory and its message controller.
struct SBus {
  Bandwidth bandwidth;
  MemoryPort::Sharing sharing;   // how its two directions get along
  Bandwidth message_controller;  // at most
};

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, Network& network, const SBus& sbus, Costs costs, EndRun end_run);

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  [[noreturn]] void end_run(const std::string& line) const { end_run_(1, line); }

  // A context of the caller's own, the same on all nodes if all libraries start in the same order. Those of MPI count
  // from 0 up, these from the other end down.
  std::uint32_t new_context() { return --next_context_; }

  // --- ranks, which may come and go ---

  void add(Node& node);
  void remove(int rank) { ranks_[static_cast<std::size_t>(rank)].node = nullptr; }
  // Null if it has gone.
  Node* node(int rank) { return ranks_[static_cast<std::size_t>(rank)].node; }
  // Where in the network it is, or was.
  int place_of(int rank) const { return ranks_[static_cast<std::size_t>(rank)].place; }
  int ranks() const { return static_cast<int>(ranks_.size()); }  // those that have gone among them
  SystemBuffer& buffer_at(int place);

  // --- messages ---

  // The longest that any node has room for.
  Bytes longest_message() const { return Bytes(costs_.system_buffer.count() - costs_.header.count()); }
  Message& new_message(MessageKind kind);
  void free_message(Message& message);
  // Its payload is read from the sender's memory now.
  void capture(Message& message) { messages_.capture(message); }
  // In a handler.
  void submit(Message& message) { network_.submit(message); }

 private:
  struct KnownRank {
    Node* node;
    int place;
  };
  struct Place {
    Place(Engine& engine, const SBus& sbus, Bytes capacity)
        : bus(sbus.bandwidth, sbus.sharing), buffer(engine, capacity) {}
    MemoryPort bus;
    SystemBuffer buffer;
  };

  void fire(const Event& event) override { submit(*reinterpret_cast<Message*>(event.data)); }
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;
  void drop(Message& message);

  Engine& engine_;
  const SBus sbus_;
  NetworkThroughMemory network_;
  const Costs costs_;
  const EndRun end_run_;
  std::uint32_t next_context_ = UINT32_MAX;
  std::vector<KnownRank> ranks_;
  std::vector<std::unique_ptr<Place>> places_;
  MessageRecords<Message> messages_;
};

}  // namespace hindcast::ap3000
