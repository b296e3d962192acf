// What all nodes of a run share: the network, the numbers of the machine's file, the records of messages.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/common/message_layer/costs.hpp"
#include "mpi_impl/libraries/common/message_layer/message.hpp"
#include "mpi_impl/libraries/common/message_records.hpp"
#include "simulator/engine/end_run.hpp"

namespace hindcast::layer {

class Node;

class System : public EventSink, public TransferSink {
 public:
  // The network outlives it.
  System(Engine& engine, Network& network, Costs costs, EndRun end_run)
      : engine_(engine), network_(network), costs_(std::move(costs)), end_run_(std::move(end_run)) {}
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

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

  // --- messages ---

  Message& new_message(MessageKind kind);
  void free_message(Message& message);
  // In a handler: it has come, and no receive will take it.
  void lose_message(Message& message) {
    leave_room(message);
    free_message(message);
  }
  // Its payload is read from the sender's memory now.
  void capture(Message& message) { messages_.capture(message); }
  // In a handler.
  void submit(Message& message) { network_.submit(message); }

  // --- room at receivers ---

  // Where what arrives for ranks at this place has to have room; null: it always has.
  virtual Room* room_at(int /*place*/) { return nullptr; }
  // The longest that any node has room for.
  virtual Bytes longest_message() const { return Bytes(UINT64_MAX); }

 protected:
  // In a handler: the message gives back the room that it has taken, if it has.
  virtual void leave_room(Message& /*message*/) {}

 private:
  struct KnownRank {
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
  std::uint32_t next_context_ = UINT32_MAX;
  std::vector<KnownRank> ranks_;
  MessageRecords<Message> messages_;
};

}  // namespace hindcast::layer
