// What all cells share: the net, the memory for messages, and the numbers of the machine's file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/native/cellos_broadcasts.hpp"
#include "mpi_impl/native/cellos_message.hpp"
#include "mpi_impl/native/cellos_reductions.hpp"
#include "mpi_impl/native/cellos_remote_memory.hpp"
#include "simulator/engine/buffer_pool.hpp"
#include "simulator/engine/engine.hpp"

namespace hindcast::cellos {

class Node;

// Ends the run with this status, saying the line; from a thread or a handler.
using EndRun = std::function<void(int status, const std::string& line)>;

// The nets that the cells are on.
struct Nets {
  Network& torus;
  BroadcastBus& bus;
  BusIsHeld bus_is_held;
  BarrierTree& barrier;
  BarrierTree& reductions;
};

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, const Nets& nets, Costs costs, EndRun end_run);
  ~System();

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  BufferPool& pool() { return pool_; }
  Broadcasts& broadcasts() { return broadcasts_; }
  RemoteMemory& remote_memory() { return remote_memory_; }
  Barrier& barrier() { return barrier_; }
  Reductions& reductions() { return reductions_; }
  [[noreturn]] void end_run(int status, const std::string& line) const;

  void add(Cell& cell) { cells_.push_back(&cell); }
  // A cell of the machine, which may run several processes.
  Node& node(int number);
  Cell& cell(int number) { return *cells_[static_cast<std::size_t>(number)]; }
  int cells() const { return static_cast<int>(cells_.size()); }

  Message& new_message();
  void free_message(Message& message);
  // The data travels with the message from now on.
  void capture(Message& message, const void* data, Bytes bytes);

  void submit(Transfer& transfer) { network_.submit(transfer); }
  void fire(const Event& event) override;  // a message's start
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;

 private:
  Engine& engine_;
  Network& network_;
  const Costs costs_;
  const EndRun end_run_;
  BufferPool pool_;
  Broadcasts broadcasts_;
  RemoteMemory remote_memory_;
  Barrier barrier_;
  Reductions reductions_;
  std::vector<Cell*> cells_;  // by number
  std::map<int, std::unique_ptr<Node>> nodes_;
};

}  // namespace hindcast::cellos
