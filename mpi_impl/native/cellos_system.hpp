// What all cells share: the net, the memory for messages, and the numbers of the machine's file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi_impl/native/cellos_message.hpp"
#include "simulator/engine/buffer_pool.hpp"
#include "simulator/engine/engine.hpp"

namespace hindcast::cellos {

// Ends the run with this status, saying the line; from a thread or a handler.
using EndRun = std::function<void(int status, const std::string& line)>;

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, Network& network, Costs costs, EndRun end_run)
      : engine_(engine), network_(network), costs_(std::move(costs)), end_run_(std::move(end_run)) {}

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  BufferPool& pool() { return pool_; }
  [[noreturn]] void end_run(int status, const std::string& line) const;

  void add(Cell& cell) { cells_.push_back(&cell); }
  Cell& cell(int number) { return *cells_[static_cast<std::size_t>(number)]; }
  int cells() const { return static_cast<int>(cells_.size()); }

  Message& new_message();
  void free_message(Message& message);
  // The data travels with the message from now on.
  void capture(Message& message, const void* data, Bytes bytes);

  void submit(Message& message) { network_.submit(message); }
  void fire(const Event& event) override;  // a message's start
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;

 private:
  Engine& engine_;
  Network& network_;
  const Costs costs_;
  const EndRun end_run_;
  BufferPool pool_;
  std::vector<Cell*> cells_;  // by number
};

}  // namespace hindcast::cellos
