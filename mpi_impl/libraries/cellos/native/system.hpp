// What all cells share: the net, the memory for messages, and the numbers of the machine's file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/cellos/native/group/broadcasts.hpp"
#include "mpi_impl/libraries/cellos/native/group/host.hpp"
#include "mpi_impl/libraries/cellos/native/group/reductions.hpp"
#include "mpi_impl/libraries/cellos/native/group/xy_exchange.hpp"
#include "mpi_impl/libraries/cellos/native/message.hpp"
#include "mpi_impl/libraries/cellos/native/numbers.hpp"
#include "mpi_impl/libraries/cellos/native/put_and_get.hpp"
#include "mpi_impl/libraries/cellos/native/striding.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/hardware/node/direct_mapped_cache.hpp"
#include "simulator/hardware/node/program_arrays.hpp"

namespace hindcast::cellos {

class Node;
class RingBuffer;

// What a message has to know of the cell that it goes to. It stands in a table: the cell itself has mostly left this
// computer's caches when another one sends to it.
struct Address {
  Cell* cell;
  RingBuffer* ring;
  int node;
};

// The nets that the cells are on.
struct Nets {
  Network& torus;
  BroadcastBus& bus;
  BusIsHeld bus_is_held;
  BarrierTree& barrier;
  BarrierTree& statuses;  // of barriers that bring a number along
  std::optional<HostParts> host = {};
};

class System final : public EventSink, public TransferSink {
 public:
  System(Engine& engine, const Nets& nets, Costs costs, EndRun end_run);
  ~System();

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  BufferPool& pool() { return pool_; }
  ProgramArrays& arrays() { return arrays_; }
  Broadcasts& broadcasts() { return broadcasts_; }
  PutAndGet& put_and_get() { return put_and_get_; }
  Striding& striding() { return striding_; }
  Barrier& barrier() { return barrier_; }
  Reductions& statuses() { return statuses_; }
  Reductions& reductions() { return reductions_; }
  [[noreturn]] void end_run(int status, const std::string& line) const { end_run_(status, line); }

  // A cell of the machine, which may run several processes, or the host.
  Node& node(int number);
  // Of runs with the host.
  Host& host() { return *host_; }
  const Numbers& numbers() const { return numbers_; }

  // In the order of ranks, of which the host is the first if it is there at all. One that has gone stays.
  void add(const Address& address) { by_rank_.push_back(address); }
  const std::vector<Address>& by_rank() const { return by_rank_; }
  Cell& cell_of_rank(int rank) { return *by_rank_[static_cast<std::size_t>(rank)].cell; }
  const Address& address_of(int cell) const { return by_rank_[static_cast<std::size_t>(numbers_.rank_of(cell))]; }
  Cell& cell(int number) { return *address_of(number).cell; }
  // That the run begins with, which the synchronisation net and broadcasts without domains are for.
  int cells() const { return cells_; }

  Message& new_message();
  void free_message(Message& message);
  // The data travels with the message from now on.
  void capture(Message& message, const Strided& data);
  // The data stays in the sender's memory until the sender's program gets that back. What is so short that it lies in
  // the message itself is captured at once.
  void borrow(Message& message, const Outgoing& outgoing);
  // The sender's program gets back the memory that the message has borrowed: the data travels with it from now on.
  void capture_lent(Message& message);
  // The data has been delivered, or never will be: the sender has nothing to look after any more.
  static void give_back_lent(Message& message);

  void submit(Transfer& transfer) {
    if (host_ && host_->takes_part_in(transfer)) [[unlikely]]
      return host_->line().submit(transfer);
    network_.submit(transfer);
  }
  void fire(const Event& event) override;  // a message's start
  void fetch(const Event& start, FetchLevel level) const override;
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;
  void fetch(const Transfer& transfer, FetchLevel level) const override;

 private:
  // The torus, and the host's line where there is a host.
  class Lines final : public Network {
   public:
    explicit Lines(System& system) : system_(system) {}
    void submit(Transfer& transfer) override { system_.submit(transfer); }
    Time latency(int from, int to) override { return system_.network_.latency(from, to); }

   private:
    System& system_;
  };

  Engine& engine_;
  Network& network_;
  Lines lines_;
  const Costs costs_;
  const EndRun end_run_;
  BufferPool pool_;
  ProgramArrays arrays_{DirectMappedCache::numbered_arrays};
  Broadcasts broadcasts_;
  PutAndGet put_and_get_;
  Striding striding_;
  Barrier barrier_;
  Reductions statuses_;
  XyExchange xy_exchange_;
  Reductions reductions_;
  const Numbers numbers_;
  const int cells_;
  std::optional<Host> host_;
  std::vector<Address> by_rank_;
  std::map<int, std::unique_ptr<Node>> nodes_;
};

}  // namespace hindcast::cellos
