// messages.library = "t3e": SHMEM of the Cray T3E and T3D, and MPI on it.
#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/cray/costs.hpp"
#include "mpi_impl/libraries/cray/mpi_parts.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"

namespace hindcast {

namespace {

RemoteMemory::Numbers remote_memory_of(const MachineFile& file) {
  RemoteMemory::Numbers numbers;
  numbers.header = file.bytes("remote_memory.header_bytes");
  numbers.registers = file.bytes("remote_memory.registers");
  numbers.put = {{"bytes put", "remote_memory.put_bandwidth"}, file.bandwidth("remote_memory.put_bandwidth")};
  numbers.get = {{"bytes got", "remote_memory.get_bandwidth"}, file.bandwidth("remote_memory.get_bandwidth")};
  numbers.service = {{"memory read for another node", "remote_memory.get_service"},
                     file.time("remote_memory.get_service")};
  numbers.performed = {{"atomic operation for another node", "remote_memory.atomic_service"},
                       file.time("remote_memory.atomic_service")};
  if (numbers.header == Bytes()) file.refuse("remote_memory.header_bytes", "must be more than 0");
  return numbers;
}

shmem::Costs costs_of(const Machine& machine) {
  const Processor& processor = machine.processor();
  const MachineFile& file = machine.parameters();
  const auto call = [&](const char* name, const char* key) { return FixedStep{{name, key}, file.time(key)}; };
  shmem::Costs costs;
  costs.put = call("call that puts", "shmem.put_overhead");
  costs.get = call("call that gets", "shmem.get_overhead");
  costs.atomic = call("call of an atomic operation", "shmem.atomic_overhead");
  costs.element = call("element of a strided put or get", "shmem.element_overhead");
  costs.quiet = call("quiet", "shmem.quiet_overhead");
  costs.fence = call("fence", "shmem.fence_overhead");
  costs.barrier = call("hardware barrier", "shmem.barrier_overhead");
  costs.load = {{"data loaded for a put", "remote_memory.load_bandwidth"},
                file.bandwidth("remote_memory.load_bandwidth")};
  costs.poll = {{"look at memory", "processor.poll"}, processor.poll};
  costs.copy = {{"copy", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  costs.combine = {{"combine", "processor.combine_rate"}, processor.combine_rate};
  costs.clock_read = processor.clock_read;
  costs.symmetric_heap = file.bytes("shmem.symmetric_heap");
  costs.fence_waits = file.choice("shmem.fence", {"waits", "orders"}) == "waits";
  costs.barrier_is_polled = file.choice("barrier.polled", {"yes", "no"}) == "yes";
  return costs;
}

class T3eLibrary final : public RunningLibrary {
 public:
  explicit T3eLibrary(const LibraryStart& start)
      : tree_(start.machine.build_barrier_tree("barrier", start.ranks)),
        system_(start.engine, start.machine.network(), *tree_, remote_memory_of(start.machine.parameters()),
                costs_of(start.machine), start.end_run),
        mpi_(start) {}

  std::string why_alone_on_a_node() const override {
    return "a PE of this machine runs one process; give each rank a node of its own";
  }

  void add_rank(Rank& rank, int node, int application) override {
    mpi_.add(pes_.emplace_back(system_, rank, node), application);
  }

 private:
  std::unique_ptr<BarrierTree> tree_;
  shmem::System system_;
  T3eMpi mpi_;
  std::deque<shmem::Pe> pes_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<T3eLibrary>(start); }

const Row<Library> row{{.name = "t3e", .start = start, .costs = t3e_costs, .parts = {.barrier_trees = {"barrier"}}}};

}  // namespace

}  // namespace hindcast
