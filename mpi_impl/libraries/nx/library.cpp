// messages.library = "nx": NX, after Intel's library of the iPSC and Paragon, and MPI on it.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/message_layer/mpi/endpoint.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/nx/costs.hpp"
#include "mpi_impl/libraries/nx/native/node.hpp"

namespace hindcast {

namespace {

layer::Costs costs_of(const MachineFile& file, const Processor& processor) {
  layer::Costs costs;
  costs.send = step_of(file, "call that sends", "nx.send_overhead");
  costs.post = step_of(file, "call that receives", "nx.receive_overhead");
  costs.probe = step_above_zero_of(file, "probe", "nx.probe");
  costs.copy_out = step_at_bandwidth_of(file, "copy out of the system's buffer", "nx.copy_bandwidth");
  costs.clock_read = mpi::LocalCosts::of(processor).clock_read;
  costs.header = file.bytes("nx.header_bytes");
  if (costs.header == Bytes()) file.refuse("nx.header_bytes", "must be more than 0");
  return costs;
}

mpi::LayerSettings settings_of(const MachineFile& file, const Processor& processor) {
  const FixedStep own = step_of(file, "MPI's own work", "mpi.overhead");
  return {.send = own, .post = own, .receive = {}, .local = mpi::LocalCosts::of(processor)};
}

class NxLibrary final : public RunningLibrary {
 public:
  explicit NxLibrary(const LibraryStart& start)
      : system_(start.engine, start.machine.network(), costs_of(start.machine.parameters(), start.machine.processor()),
                start.end_run),
        settings_(settings_of(start.machine.parameters(), start.machine.processor())),
        world_(start.engine, start.ranks, start.choices, start.end_run) {}

  std::string why_alone_on_a_node() const override { return "a node of this machine runs one process"; }

  void add_rank(Rank& rank, int node, int application) override {
    rank.set_progress(Progress::hardware, system_.costs().probe.cost);
    ranks_.add(rank.id, *this, rank, node, application);
  }
  mpi::World* world() override { return &world_; }
  bool forget_rank(const Rank& rank) override { return ranks_.remove_if_at_rest(rank.id); }

 private:
  struct NxRank {
    NxRank(NxLibrary& in, Rank& rank, int node, int application)
        : native(in.system_, rank, node, in.context_of_gsync_),
          endpoint(native, in.settings_),
          process(in.world_, rank, endpoint, application) {}
    nx::Node native;
    mpi::LayerEndpoint endpoint;
    mpi::Process process;
  };

  layer::System system_;
  const std::uint32_t context_of_gsync_ = system_.new_context();
  const mpi::LayerSettings settings_;
  mpi::World world_;
  RankParts<NxRank> ranks_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<NxLibrary>(start); }

const Row<Library> nx_row{{.name = "nx", .start = start, .costs = nx_costs}};

}  // namespace

}  // namespace hindcast
