// What all nodes of a partition share: the network, the numbers of the machine's file, the records of messages, the
// groups of tasks. The tasks of a partition are numbered in the order of their ranks, and MPL reaches no others.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/common/message_records.hpp"
#include "mpi_impl/libraries/mpl/native/costs.hpp"
#include "mpi_impl/libraries/mpl/native/groups.hpp"
#include "mpi_impl/libraries/mpl/native/message.hpp"
#include "simulator/engine/end_run.hpp"

namespace hindcast::mpl {

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, Network& network, Costs costs, EndRun end_run)
      : engine_(engine), network_(network), costs_(std::move(costs)), end_run_(std::move(end_run)) {}

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  Groups& groups() { return groups_; }
  [[noreturn]] void end_run(const std::string& line) const { end_run_(1, line); }
  // For a library that is built on MPL: a context that nobody else has, the same in every partition if the partitions'
  // libraries ask in the same order.
  std::uint32_t new_context() { return next_context_++; }

  // In the order of their numbers.
  void add(Node& node) { nodes_.push_back(&node); }
  Node& node(int task) { return *nodes_[static_cast<std::size_t>(task)]; }
  int tasks() const { return static_cast<int>(nodes_.size()); }

  Message& new_message();
  void free_message(Message& message);
  // Its payload is read from the sender's memory now.
  void capture(Message& message) { messages_.capture(message); }
  // The memory of the message that `sent` is of is handed back before: its data is captured, and nobody is told.
  void forget_sent(const Completion& sent);

 private:
  void fire(const Event& event) override { network_.submit(*reinterpret_cast<Message*>(event.data)); }
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;

  Engine& engine_;
  Network& network_;
  const Costs costs_;
  const EndRun end_run_;
  Groups groups_;
  std::uint32_t next_context_ = context_of_groups + 1;
  std::vector<Node*> nodes_;
  MessageRecords<Message> messages_;
};

}  // namespace hindcast::mpl
