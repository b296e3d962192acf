// What all nodes of a run with NX share: the network, the numbers of the machine's file, the records of messages.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/common/message_records.hpp"
#include "mpi_impl/libraries/nx/native/costs.hpp"
#include "mpi_impl/libraries/nx/native/message.hpp"
#include "simulator/engine/end_run.hpp"

namespace hindcast::nx {

class Node;

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, Network& network, Costs costs, EndRun end_run)
      : engine_(engine), network_(network), costs_(std::move(costs)), end_run_(std::move(end_run)) {}

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  [[noreturn]] void end_run(const std::string& line) const { end_run_(1, line); }

  // --- nodes, which may come and go ---

  void add(Node& node);
  void remove(int number) { nodes_[static_cast<std::size_t>(number)].node = nullptr; }
  // Null if it has gone.
  Node* node(int number) { return nodes_[static_cast<std::size_t>(number)].node; }
  // Where in the network it is, or was.
  int place_of(int number) const { return nodes_[static_cast<std::size_t>(number)].place; }
  int nodes() const { return static_cast<int>(nodes_.size()); }  // those that have gone among them

  // --- messages ---

  Message& new_message(MessageKind kind);
  void free_message(Message& message);
  // Its payload is read from the sender's memory now.
  void capture(Message& message) { messages_.capture(message); }

  // In a handler.
  void submit(Message& message) { network_.submit(message); }

 private:
  struct KnownNode {
    Node* node;
    int place;
  };

  void fire(const Event& event) override { submit(*reinterpret_cast<Message*>(event.data)); }
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;
  void drop(Message& message);

  Engine& engine_;
  Network& network_;
  const Costs costs_;
  const EndRun end_run_;
  std::vector<KnownNode> nodes_;
  MessageRecords<Message> messages_;
};

}  // namespace hindcast::nx
