#include "mpi_impl/libraries/cray/native/system.hpp"

namespace hindcast::shmem {

System::System(Engine& engine, Network& network, BarrierTree& tree, const RemoteMemory::Numbers& numbers, Costs costs,
               EndRun end_run)
    : engine_(engine),
      costs_(std::move(costs)),
      end_run_(std::move(end_run)),
      memories_(engine, network, costs_.memory),
      remote_memory_(engine, memories_.network(), numbers),
      barrier_(engine, tree, {"until all PEs have called it", 0}),
      symmetric_memory_(costs_.symmetric_heap) {}

}  // namespace hindcast::shmem
