// PEs on a T3E, each with something to do, and what that takes: for tests of SHMEM and of what is built on it.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::shmem {

inline const Time woken = Time::ps(1);  // a thread goes on a picosecond after what woke it

// A machine's file with the numbers that tests count with: 15 ns a hop, 100 ns into the network, 340 MB/s at a port.
inline MachineFile machine_file(const std::string& machine) {
  MachineFile file = load_machine(machine);
  for (const char* setting : {"network.hop_latency=15 ns", "network.injection_latency=100 ns",
                              "network.injection_bandwidth=340 MB/s", "network.link_bandwidth=500 MB/s"})
    file.set(setting);
  return file;
}

inline RemoteMemory::Numbers remote_memory_numbers() {
  RemoteMemory::Numbers numbers;
  numbers.header = Bytes(8);
  numbers.registers = Bytes(4096);
  numbers.put = numbers.get = RatedStep{{"data", ""}, Rate::per_second(500e6)};
  numbers.service.cost = Time::ns(90);
  numbers.performed.cost = Time::ns(110);
  return numbers;
}

inline Costs costs() {
  Costs costs;
  costs.put.cost = Time::ns(1000);
  costs.get.cost = Time::ns(1100);
  costs.atomic.cost = Time::ns(1200);
  costs.element.cost = Time::ns(20);
  costs.load.rate = Rate::taking(1500);
  costs.quiet.cost = Time::ns(130);
  costs.fence.cost = Time::ns(140);
  costs.barrier.cost = Time::ns(200);
  costs.poll.cost = Time::ns(50);
  costs.symmetric_heap = Bytes(1 << 20);
  return costs;
}

// What each PE does, started on PEs 0, 1, ... of a machine; runs to the end.
using Body = std::function<void(Pe&)>;
struct World {
  const char* machine = "t3e-900";
  std::vector<std::string> settings = {};
  RemoteMemory::Numbers remote_memory = remote_memory_numbers();
  Costs costs = shmem::costs();
  EngineOptions options = {};
  std::function<void(Engine&)> prepare = [](Engine&) {};  // before the run
  std::function<void()> at_end = [] {};                   // of it
  std::function<void(Ending)> on_early_end = test::must_not_end_early;
};

inline void run_pes(const std::vector<Body>& bodies, const World& world = {}) {
  Engine engine(world.options);
  MachineFile file = machine_file(world.machine);
  for (const std::string& setting : world.settings) file.set(setting);
  const auto machine = Machine::build(engine, file, static_cast<int>(bodies.size()), library_of(file).parts_for(file));
  const auto tree = machine->build_barrier_tree("barrier", static_cast<int>(bodies.size()));
  System system(engine, machine->network(), *tree, world.remote_memory, world.costs,
                [](int status, const std::string& line) {
                  std::fprintf(stderr, "%s\n", line.c_str());
                  std::_Exit(status);
                });
  std::deque<Pe> pes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Rank& rank = engine.add_rank(machine->node_name(static_cast<int>(i)));
    Pe& pe = pes.emplace_back(system, rank, static_cast<int>(i));
    engine.start_thread(rank, [&pe, &body = bodies[i]] { body(pe); });
  }
  world.prepare(engine);
  engine.run([&](Ending ending) { world.on_early_end(ending); });
  world.at_end();
}

inline Time clock() { return Thread::current()->clock(); }

// What so many bytes take on the network, with the header, at a port's 340 MB/s.
inline Time on_wire(std::uint64_t bytes) { return Rate::per_second(340e6).time_for(bytes + 8); }
inline Time way(int hops) { return Time::ns(100 + 15 * hops); }

// A word of memory is no longer what it was.
template <typename Word>
class Changes final : public Condition {
 public:
  explicit Changes(const Word& word) : word_(word), was_(word) {}
  bool holds() const override { return word_ != was_; }
  BlockedOn describe() const override { return {"shmem_wait", "until a word of the own memory changes", {}}; }

 private:
  const volatile Word& word_;
  const Word was_;
};

}  // namespace hindcast::shmem
