// messages.library = "mpi-es": MPI/ES of the Earth Simulator.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/earth_simulator/costs.hpp"
#include "mpi_impl/libraries/earth_simulator/message_ways.hpp"
#include "mpi_impl/libraries/earth_simulator/mpi/accumulates.hpp"
#include "mpi_impl/libraries/earth_simulator/mpi/group_operations.hpp"
#include "mpi_impl/libraries/earth_simulator/mpi/remote_access.hpp"

namespace hindcast {

namespace {

using earth_simulator::GlobalMemory;
using earth_simulator::MemoryKind;

Progress progress_of_es(const MachineFile& file) {
  return file.choice("messages.progress", {"polling", "hardware"}) == "polling" ? Progress::polling
                                                                                : Progress::hardware;
}

MemoryKind kind_by_default(const MachineFile& file) {
  const std::vector<std::string> names = mpi::EsMemoryKinds::names();
  return file.choice("mpi.default_memory", names) == names.front() ? MemoryKind::global : MemoryKind::local;
}

// Data read for a get leaves as fast as data put. There are no atomic operations.
RemoteMemory::Numbers numbers_of_units(const MachineFile& file) {
  RemoteMemory::Numbers numbers;
  numbers.header = file.bytes("mpi.header_bytes");
  numbers.put = numbers.get = step_at_bandwidth_of(file, "bytes by INA", "rcu.bandwidth");
  numbers.signal = step_of(file, "signal between units", "rcu.signal");
  return numbers;
}

class EsLibrary final : public RunningLibrary {
 public:
  explicit EsLibrary(const LibraryStart& start)
      : progress_(progress_of_es(start.machine.parameters())),
        global_memory_(kind_by_default(start.machine.parameters())),
        memory_kinds_(global_memory_),
        ways_(start.engine, start.machine, memory_kinds_),
        exchange_(start.engine, ways_.methods(), progress_),
        units_(start.engine, ways_.network(), numbers_of_units(start.machine.parameters()),
               step_of(start.machine.parameters(), "INA instruction", "rcu.instruction"), global_memory_),
        access_call_(step_of(start.machine.parameters(), "call of a put, a get or a barrier", "mpi.call")),
        accumulates_(start.machine.parameters()),
        barrier_(start.engine, start.machine.parameters().time("barrier.latency"),
                 step_of(start.machine.parameters(), "barrier inside the node", "barrier.inside")),
        first_ranks_{mpi::Comm::collective_context_of(0), 0, start.ranks, 0},
        world_(start.engine, start.ranks, start.choices, start.end_run) {}

  void add_rank(Rank& rank, int node, int application) override {
    const mpi::EndpointCosts& costs = ways_.add_rank(node);
    rank.set_progress(progress_, costs.poll.cost);
    EsRank& added = ranks_.add(rank.id, *this, rank, node, costs, application);
    if (rank.id < first_ranks_.size) barrier_.expect(node);
    added.endpoint.offer({.group_operations = &added.group_operations,
                          .remote_access = &added.remote_access,
                          .memory_kinds = &memory_kinds_,
                          .handler_unit = accumulates_.unit_of(node, exchange_)});
  }
  mpi::World* world() override { return &world_; }
  bool forget_rank(const Rank& rank) override { return ranks_.remove_if_at_rest(rank.id); }

 private:
  struct EsRank {
    EsRank(EsLibrary& in, Rank& rank, int node, const mpi::EndpointCosts& costs, int application)
        : native(in.units_, rank, node),
          remote_access(native, in.access_call_, costs.local, in.accumulates_.are_by_origins()),
          group_operations(in.barrier_, node, in.access_call_, in.first_ranks_),
          endpoint(in.exchange_, rank, mpi::Place{node, 0}, costs),
          process(in.world_, rank, endpoint, application) {}
    earth_simulator::RcuClient native;
    mpi::EsRemoteAccess remote_access;
    mpi::EsGroupOperations group_operations;
    mpi::MatchingEndpoint endpoint;
    mpi::Process process;
  };

  const Progress progress_;
  GlobalMemory global_memory_;
  mpi::EsMemoryKinds memory_kinds_;
  EsMessageWays ways_;
  mpi::MessageExchange exchange_;
  earth_simulator::Units units_;
  const FixedStep access_call_;
  mpi::EsAccumulates accumulates_;
  earth_simulator::GlobalBarrier barrier_;
  const mpi::Members first_ranks_;  // MPI_COMM_WORLD, as all see it
  mpi::World world_;
  RankParts<EsRank> ranks_;
};

std::unique_ptr<RunningLibrary> start_es(const LibraryStart& start) { return std::make_unique<EsLibrary>(start); }

const Row<Library> earth_simulator_row{{.name = "mpi-es", .start = start_es, .costs = es_costs}};

}  // namespace

}  // namespace hindcast
