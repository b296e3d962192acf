// messages.library = "ap3000": the message layer of the AP3000, and MPI/AP on it.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/ap3000/costs.hpp"
#include "mpi_impl/libraries/ap3000/mpi/endpoint.hpp"
#include "mpi_impl/libraries/common/processors_of_nodes.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast {

namespace {

layer::Costs costs_of(const MachineFile& file, const Processor& processor) {
  layer::Costs costs;
  costs.send = step_of(file, "call that sends", "ap3000.send_overhead");
  costs.receive = step_of(file, "call that receives", "ap3000.receive_overhead");
  costs.probe = {{"probe", "processor.poll"}, processor.poll};
  costs.copy_out = {{"copy out of the system's buffer", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  costs.clock_read = mpi::LocalCosts::of(processor).clock_read;
  costs.header = file.bytes("ap3000.header_bytes");
  costs.all_go_to_buffer = true;
  if (costs.header == Bytes()) file.refuse("ap3000.header_bytes", "must be more than 0");
  return costs;
}

Bytes system_buffer_of(const MachineFile& file) {
  const Bytes bytes = file.bytes("ap3000.system_buffer");
  if (bytes <= file.bytes("ap3000.header_bytes")) file.refuse("ap3000.system_buffer", "has no room for a message");
  return bytes;
}

ap3000::SBus sbus_of(const MachineFile& file) {
  if (file.choice("network.model", {"wormhole", "fluid"}) != "wormhole")
    file.refuse("network.model", "the SBus needs 'wormhole', which foresees when a message has left its sender");
  const bool is_shared_out = file.choice("sbus.sharing", {"turns", "fair"}) == "fair";
  return {file.bandwidth("sbus.bandwidth"), is_shared_out ? MemoryPort::Sharing::fair : MemoryPort::Sharing::in_turn,
          file.bandwidth("network.injection_bandwidth")};
}

// What MPI takes of its own is the sender's in part.
mpi::LayerSettings settings_of(const MachineFile& file, const Processor& processor) {
  const StepKind own{"MPI's own work", "mpi.overhead"};
  const Time both = file.time("mpi.overhead");
  const Time sender = mpi_work_at_sender(file);
  return {.send = {own, sender},
          .post = {},
          .receive = FixedStep{own, both - sender},
          .local = mpi::LocalCosts::of(processor)};
}

mpi::Ap3000GroupOperations::Costs collectives_of(const MachineFile& file) {
  return {step_of(file, "MPI passes on what it has combined", "mpi.overhead"),
          step_at_bandwidth_of(file, "copy of the result", "mpi.result_copy")};
}

// Processes that are more on a node than one take turns on its processor.
ProcessorsOfNodes::Kind turns_of(const MachineFile& file) {
  return {1, file.time_above_zero("ap3000.time_slice"), step_of(file, "task switch", "ap3000.task_switch")};
}

class Ap3000Library final : public RunningLibrary {
 public:
  explicit Ap3000Library(const LibraryStart& start)
      : controllers_(start.engine, start.machine.network(), sbus_of(start.machine.parameters()),
                     system_buffer_of(start.machine.parameters())),
        system_(start.engine, controllers_, costs_of(start.machine.parameters(), start.machine.processor()),
                start.end_run),
        settings_(settings_of(start.machine.parameters(), start.machine.processor())),
        in_collectives_(collectives_of(start.machine.parameters())),
        turns_(turns_of(start.machine.parameters())),
        processors_(start.engine, start.nodes),
        world_(start.engine, start.ranks, start.choices, start.end_run) {}

  void add_rank(Rank& rank, int node, int application) override {
    rank.set_progress(Progress::hardware, system_.costs().probe.cost);
    processors_.add(rank, node, turns_);
    ranks_.add(rank.id, *this, rank, node, application);
  }
  mpi::World* world() override { return &world_; }
  bool forget_rank(const Rank& rank) override { return ranks_.remove_if_at_rest(rank.id); }

 private:
  struct Ap3000Rank {
    Ap3000Rank(Ap3000Library& in, Rank& rank, int node, int application)
        : native(in.system_, rank, node),
          endpoint(native, in.settings_, in.in_collectives_),
          process(in.world_, rank, endpoint, application) {}
    ap3000::Node native;
    mpi::Ap3000Endpoint endpoint;
    mpi::Process process;
  };

  ap3000::MessageControllers controllers_;
  ap3000::System system_;
  const mpi::LayerSettings settings_;
  const mpi::Ap3000GroupOperations::Costs in_collectives_;
  const ProcessorsOfNodes::Kind turns_;
  ProcessorsOfNodes processors_;
  mpi::World world_;
  RankParts<Ap3000Rank> ranks_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<Ap3000Library>(start); }

const Row<Library> ap3000_row{{.name = "ap3000", .start = start, .costs = ap3000_costs}};

}  // namespace

}  // namespace hindcast
