// Cells on an AP1000's nets, each with something to do, and what that takes: for tests of CellOS.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::cellos {

using test::NoWait;

constexpr std::int64_t hop_ns = 160;
constexpr std::int64_t byte_on_net_ns = 40;
constexpr std::int64_t header_bytes = 16;
inline const Time one_hop = Time::ns(hop_ns);
inline const Time woken = Time::ps(1);  // a thread goes on a picosecond after what woke it

inline Time on_net(std::int64_t bytes) { return Time::ns((bytes + header_bytes) * byte_on_net_ns); }

inline Costs costs() {
  Costs costs;
  costs.send.cost = Time::ns(135'200);
  costs.receive.cost = Time::us(110);
  costs.domain.cost = Time::us(72);
  costs.probe.cost = Time::us(10);
  costs.broadcast.cost = Time::us(580);
  costs.selective.cost = Time::us(57);
  costs.broadcast_taken.cost = costs.broadcast_discarded.cost = Time::us(30);
  costs.sync.cost = costs.host_sync.cost = Time::us(288);
  costs.host_scatter.cost = Time::us(110);
  costs.host_gather.cost = Time::ns(135'200);
  costs.reduction.cost = Time::us(20);
  costs.reduction_step.cost = Time::us(9);
  costs.copy_in.rate = costs.copy_out.rate = Rate::taking(158'400);
  costs.misaligned_in.rate = costs.misaligned_out.rate = Rate::taking(2'900);
  costs.header = Bytes(header_bytes);
  costs.ring_buffer = costs.send_buffer = Bytes(4 << 20);
  costs.domains_max = 300;
  costs.remote_service.cost = Time::us(30);
  costs.memory_read = Rate::taking(33'000);
  costs.cache = Bytes(128 << 10);
  costs.cache_line = Bytes(16);
  return costs;
}

// What a broadcast takes more on the way if the cells are interrupted at its end.
constexpr Time interrupted = Time::us(30);
inline Costs without_interruptions() {
  Costs changed = costs();
  changed.interrupts = Interrupts::never;
  return changed;
}
// On the broadcast net, with data that is not in the sender's cache.
inline Time on_bus(std::int64_t bytes) { return Time::ns(header_bytes * 20 + bytes * 33 + 200); }

inline Time copy(Space space, std::int64_t bytes) {
  return Time::ps(bytes * (space == Space::plain ? 161'300 : 158'400));
}

// The machine's file, with the numbers that tests count with.
inline MachineFile machine_file() {
  MachineFile file = load_machine("ap1000");
  for (const char* setting :
       {"network.hop_latency=160 ns", "network.link_bandwidth=25 MB/s", "network.injection_bandwidth=25 MB/s",
        "network.injection_latency=0 ns", "bnet.bandwidth=50 MB/s", "bnet.latency=200 ns", "snet.latency=200 ns",
        "snet.branching=4", "host.line_bandwidth=5 MB/s", "host.line_latency=1 us"})
    file.set(setting);
  return file;
}

// What each cell does, started on cells 0, 1, ... of an AP1000; runs to the end.
using Body = std::function<void(Cell&)>;
inline void run_cells_on(const MachineFile& file, const Costs& costs, const std::vector<Body>& bodies,
                         BusIsHeld held = BusIsHeld::until_taken,
                         void (*on_early_end)(Ending) = test::must_not_end_early) {
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, static_cast<int>(bodies.size()), library_of(file).parts_for(file));
  const auto cell_count = static_cast<int>(bodies.size());
  const auto bus = machine->build_broadcast_bus("bnet");
  const auto barrier = machine->build_barrier_tree("snet", cell_count);
  const auto reductions = machine->build_barrier_tree("snet", cell_count);
  const Nets nets{machine->network(), *bus, held, *barrier, *reductions};
  System system(engine, nets, costs, [](int status, const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
    std::_Exit(status);
  });
  std::deque<Cell> cells;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Rank& rank = engine.add_rank(machine->node_name(static_cast<int>(i)));
    Cell& cell = cells.emplace_back(system, rank, static_cast<int>(i));
    rank.set_may_be_interrupted();
    engine.start_thread(rank, [&cell, &body = bodies[i]] { body(cell); });
  }
  engine.run(on_early_end);
}

inline void run_cells(const Costs& costs, const std::vector<Body>& bodies, BusIsHeld held = BusIsHeld::until_taken,
                      void (*on_early_end)(Ending) = test::must_not_end_early) {
  run_cells_on(machine_file(), costs, bodies, held, on_early_end);
}

inline Time clock() { return Thread::current()->clock(); }

inline void send(Cell& from, int to, int type, const std::string& data, Space space = Space::plain,
                 std::uint32_t domain = 0) {
  from.send({"l_asend", to, space, {domain, from.number(), type}, data.data(), Bytes(data.size())});
}

inline void broadcast(Cell& from, int type, const std::string& data, Space space = Space::plain,
                      std::uint32_t domain = 0) {
  from.broadcast({"cbroad", to_all_cells, space, {domain, from.number(), type}, data.data(), Bytes(data.size())});
}

struct Received {
  std::string data;
  int cell;
  int type;
};

inline Received receive(Cell& cell, int from, int type, Space space = Space::plain, std::uint32_t domain = 0) {
  Message& message = cell.wait_for(space, {domain, from, type}, NoWait());
  Received received{std::string(message.payload_bytes.count(), '?'), message.key.source, message.key.tag};
  cell.copy_out(message, received.data.data(), Bytes(received.data.size()));
  return received;
}

// Raised when what a call has begun is done: a put, a get, a striding send.
class Flag final : public DoneSink {
 public:
  explicit Flag(Cell& cell) : cell_(cell) {}
  void wait() { cell_.wait_for_flag(raised_, 1, NoWait()); }

 private:
  void done() override {
    raised_ = 1;
    cell_.flag_raised();
  }
  Cell& cell_;
  int raised_ = 0;
};

inline Strided whole(std::string& data) { return in_one_piece(data.data(), Bytes(data.size())); }

constexpr int any = matching::Key::any;

// Room for two messages of 1000 bytes.
inline Costs with_small_ring() {
  Costs tight = costs();
  tight.ring_buffer = Bytes(2 * (1000 + header_bytes));
  return tight;
}

}  // namespace hindcast::cellos
