// messages.library = "t3e": SHMEM of the Cray T3E and T3D, and MPI on it.
#include <deque>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/cray/costs.hpp"
#include "mpi_impl/libraries/cray/mpi_parts.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

RemoteMemory::Numbers remote_memory_of(const MachineFile& file) {
  RemoteMemory::Numbers numbers;
  numbers.header = file.bytes("remote_memory.header_bytes");
  numbers.registers = file.bytes("remote_memory.registers");
  numbers.put = step_at_bandwidth_of(file, "bytes put", "remote_memory.put_bandwidth");
  numbers.get = step_at_bandwidth_of(file, "bytes got", "remote_memory.get_bandwidth");
  numbers.service = step_of(file, "memory read for another node", "remote_memory.get_service");
  numbers.performed = step_of(file, "atomic operation for another node", "remote_memory.atomic_service");
  if (numbers.header == Bytes()) file.refuse("remote_memory.header_bytes", "must be more than 0");
  return numbers;
}

// A fluid network does not foresee when data has left its node, which the memory would have to know.
std::optional<shmem::MemoryCosts> memory_of(const MachineFile& file) {
  constexpr const char* key = "local_memory.sharing";
  const std::string sharing = file.choice(key, {"fair", "turns", "apart"});
  const KeysOfChoice keys(file, sharing != "apart");
  shmem::MemoryCosts memory;
  memory.bandwidth = keys.bandwidth("local_memory.bandwidth");
  memory.waits_from = keys.bytes("local_memory.waits_from");
  memory.unit = file.bandwidth("network.injection_bandwidth");
  memory.sharing = sharing == "fair" ? MemoryPort::Sharing::fair : MemoryPort::Sharing::in_turn;
  if (sharing == "apart") return std::nullopt;
  if (file.choice("network.model", {"wormhole", "fluid"}) != "wormhole")
    file.refuse(key, "with network.model=fluid it is 'apart': that network does not foresee when data has left its PE");
  return memory;
}

shmem::Costs costs_of(const Machine& machine) {
  const Processor& processor = machine.processor();
  const MachineFile& file = machine.parameters();
  shmem::Costs costs;
  costs.put = step_of(file, "call that puts", "shmem.put_overhead");
  costs.get = step_of(file, "call that gets", "shmem.get_overhead");
  costs.atomic = step_of(file, "call of an atomic operation", "shmem.atomic_overhead");
  costs.element = step_of(file, "element of a strided put or get", "shmem.element_overhead");
  costs.quiet = step_of(file, "quiet", "shmem.quiet_overhead");
  costs.fence = step_of(file, "fence", "shmem.fence_overhead");
  costs.barrier = step_of(file, "hardware barrier", "shmem.barrier_overhead");
  costs.odd = step_at_bandwidth_of(file, "bytes beside whole words", "shmem.odd_bandwidth");
  costs.load = step_at_bandwidth_of(file, "data loaded for a put", "remote_memory.load_bandwidth");
  costs.poll = {{"look at memory", "processor.poll"}, processor.poll};
  costs.copy = {{"copy", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  costs.combine = {{"combine", "processor.combine_rate"}, processor.combine_rate};
  costs.clock_read = processor.clock_read;
  costs.memory = memory_of(file);
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
        mpi_(start, system_.network()) {}

  std::string why_alone_on_a_node() const override { return "a PE of this machine runs one process"; }

  void add_rank(Rank& rank, int node, int application) override {
    mpi_.add(pes_.emplace_back(system_, rank, node), application);
  }
  mpi::World* world() override { return &mpi_.world(); }
  bool forget_rank(const Rank& rank) override { return mpi_.forget(rank); }

 private:
  std::unique_ptr<BarrierTree> tree_;
  shmem::System system_;
  T3eMpi mpi_;
  std::deque<shmem::Pe> pes_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<T3eLibrary>(start); }

const Row<Library> cray_row{
    {.name = "t3e", .start = start, .costs = t3e_costs, .parts = {.barrier_trees = {"barrier"}}}};

}  // namespace

}  // namespace hindcast
